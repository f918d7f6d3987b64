import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import type { Openable } from "../dialog/lazy-dialog.tsx";
import { NativeSelectField } from "../field/field.tsx";
import type { Choice } from "../field/native-select.tsx";

export interface FilterSheetProps extends Openable {
  filters: readonly { label: string; value: string; choices: readonly Choice[]; onChange: (value: string) => void }[];
  more?: ReactNode;
  /** Whether anything is set that Clear Filters would reset. */
  narrowed: boolean;
  clear: () => void;
}

/** The filters and the sorting on a phone. The list behind the sheet is updated at once. */
export default function FilterSheet({ filters, more, narrowed, clear, ...dialog }: FilterSheetProps) {
  return (
    <Dialog
      {...dialog}
      title="Filters"
      footer={
        <>
          <Button variant="ghost" disabled={!narrowed} onClick={clear}>
            Clear Filters
          </Button>
          <Button variant="primary" onClick={() => dialog.onOpenChange(false)}>
            Done
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {filters.map(({ label, value, choices, onChange }) => (
          <NativeSelectField
            key={label}
            label={label}
            value={value}
            choices={choices}
            onChange={(event) => onChange(event.target.value)}
          />
        ))}
        {more}
      </div>
    </Dialog>
  );
}
