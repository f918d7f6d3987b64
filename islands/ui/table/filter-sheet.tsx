import { ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import { NativeSelectField } from "../field/native-select-field.tsx";
import type { Filter } from "./filter.ts";

interface FilterSheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  filters: readonly Filter[];
  more?: ReactNode;
  narrowed: boolean;
  onClear: () => void;
  select?: { label: string; onSelect: () => void };
}

/** A phone's filters, and its order. The list behind the sheet follows at once. */
export default function FilterSheet({
  open,
  onOpenChange,
  filters,
  more,
  narrowed,
  onClear,
  select,
}: FilterSheetProps) {
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
            icon={<ListChecks aria-hidden size={16} />}
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
