import { clsx } from "clsx";
import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { fetchedAhead } from "../../runtime/preload.ts";
import { Button } from "../button.tsx";
import { lazyDialog } from "../dialog/lazy-dialog.tsx";
import { NativeSelect } from "../field/native-select.tsx";
import type { Filter } from "./filter.ts";
import { SearchBox } from "./search-box.tsx";

const loadFilterSheet = () => import("./filter-sheet.tsx");
const FilterSheet = lazyDialog(loadFilterSheet);

export interface FilterBarProps {
  search?: { label: string; placeholder?: string; value: string; onSearch: (text: string) => void };
  filters?: readonly Filter[];
  /** Fields that are no selects, and how many of them are set. They stand in a row of their own, on a phone in the sheet. */
  more?: { fields: ReactNode; set: number };
  /** Whether anything is set that Clear Filters would take back. */
  narrowed: boolean;
  onClear: () => void;
  /** On a phone, how one begins to choose rows; elsewhere they have a box each. */
  select?: { label: string; onSelect: () => void };
}

/** Narrows a list. Its selects are the platform's own: they cost no script. On a phone they stand in a sheet, behind one button. */
export function FilterBar({ search, filters = [], more, narrowed, onClear, select }: FilterBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  return (
    <div ref={bar} className={clsx("mb-3 flex gap-2 md:mb-4 md:items-center", more && "md:flex-wrap")}>
      {search && <SearchBox {...search} className="min-w-0 grow md:max-w-xs" />}
      {filters.length > 0 && <SheetButton {...{ filters, more, narrowed, onClear, select }} />}
      <div className="flex gap-2 max-md:hidden">
        {filters
          .filter(({ phoneOnly }) => !phoneOnly)
          .map(({ label, value, choices, onChange }) => (
            <NativeSelect
              key={label}
              aria-label={label}
              value={value}
              choices={choices}
              onChange={(event) => onChange(event.target.value)}
              className="w-44"
            />
          ))}
        {narrowed && (
          <Button
            variant="ghost"
            icon={<X aria-hidden size={16} />}
            onClick={() => {
              onClear();
              // The button goes, and the focus must not go with it.
              bar.current?.querySelector<HTMLElement>("input, select")?.focus();
            }}
          >
            Clear Filters
          </Button>
        )}
      </div>
      {more && <div className={clsx("flex flex-wrap gap-2 max-md:hidden", search && "basis-full")}>{more.fields}</div>}
    </div>
  );
}

/** Says how many filters are set, as the sheet behind it hides which. */
function SheetButton(
  props: Pick<FilterBarProps, "more" | "narrowed" | "onClear" | "select"> & { filters: readonly Filter[] },
) {
  const { filters, more, narrowed, onClear, select } = props;
  const [open, setOpen] = useState<boolean | null>(null);
  const chosen = filters.filter(({ phoneOnly, value, choices }) => !phoneOnly && value !== choices[0]?.value).length;
  const set = chosen + (more?.set ?? 0);
  return (
    <>
      <Button
        {...fetchedAhead(loadFilterSheet)}
        className="max-[22.5rem]:[&_svg]:hidden md:hidden"
        icon={<SlidersHorizontal aria-hidden size={16} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Filters
        {set > 0 && (
          <span className="figures grid size-5 place-items-center rounded-full bg-brass text-xs text-on-brass">
            {set}
            <span className="sr-only"> set</span>
          </span>
        )}
      </Button>
      {open !== null && (
        <FilterSheet
          open={open}
          onOpenChange={setOpen}
          filters={filters}
          more={more?.fields}
          narrowed={narrowed}
          onClear={onClear}
          select={select}
        />
      )}
    </>
  );
}
