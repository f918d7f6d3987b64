import { ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import type { Openable } from "../dialog/lazy-dialog.tsx";
import { NativeSelectField } from "../field/field.tsx";
import type { Choice } from "../field/native-select.tsx";

/** Narrows a list, or on a phone sorts it. */
export interface Filter {
  label: string;
  value: string;
  /** The first of them filters nothing. */
  choices: readonly Choice[];
  onChange: (value: string) => void;
  /** On phones only, where a table has no headings to sort by. It hides no row and is not counted. */
  phoneOnly?: boolean;
}

export interface FilterSheetProps extends Openable {
  filters: readonly Filter[];
  more?: ReactNode;
  /** Whether anything is set that Clear Filters would reset. */
  narrowed: boolean;
  onClear: () => void;
  /** Starts choosing rows on a phone; elsewhere each has a checkbox. */
  select?: { label: string; onSelect: () => void };
}

/** The filters and the sorting on a phone. The list behind the sheet is updated at once. */
export default function FilterSheet(props: FilterSheetProps) {
  const { open, onOpenChange, filters, more, narrowed, onClear, select } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Filters"
      footer={
        <>
          <Button variant="ghost" disabled={!narrowed} onClick={onClear}>
            Clear Filters
          </Button>
          <Button variant="primary" onClick={() => onOpenChange(false)}>
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
        {select && (
          <Button
            wide
            icon={<ListChecks size={16} />}
            onClick={() => {
              onOpenChange(false);
              select.onSelect();
            }}
          >
            {select.label}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
