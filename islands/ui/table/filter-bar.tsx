import { clsx } from "clsx";
import { SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { fetchedAhead } from "../../runtime/preload.ts";
import { Button } from "../button.tsx";
import { lazyDialog, type Openable } from "../dialog/lazy-dialog.tsx";
import { NativeSelect } from "../field/native-select.tsx";
import type { FilterSheetProps } from "./filter-sheet.tsx";
import { SearchBox } from "./search-box.tsx";

const loadFilterSheet = () => import("./filter-sheet.tsx");
const FilterSheet = lazyDialog(loadFilterSheet);

interface FilterBarProps extends Omit<FilterSheetProps, keyof Openable | "more"> {
  search?: { label: string; placeholder?: string; value: string; onSearch: (text: string) => void };
  /** Fields that are not selects, and how many of them are set. They have a row to themselves, on a phone in the sheet. */
  more?: { fields: ReactNode; set: number };
}

/** Filters a list. Its selects are native and need no script. On a phone they are in a sheet, behind one button. */
export function FilterBar({ search, filters, more, narrowed, onClear, select }: FilterBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  return (
    <div ref={bar} className={clsx("mb-3 flex gap-2 md:mb-4 md:items-center", more && "md:flex-wrap")}>
      {search && <SearchBox {...search} className="min-w-0 grow md:max-w-xs" />}
      <SheetButton {...{ filters, more, narrowed, onClear, select }} />
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
              // The button disappears, and must not take the focus with it.
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

/** Shows how many filters are set, because the sheet hides which. */
function SheetButton({ more, ...sheet }: Omit<FilterBarProps, "search">) {
  const [open, setOpen] = useState(false);
  const chosen = sheet.filters.filter(
    ({ phoneOnly, value, choices }) => !phoneOnly && value !== choices[0]?.value,
  ).length;
  const set = chosen + (more?.set ?? 0);
  return (
    <>
      <Button
        {...fetchedAhead(loadFilterSheet)}
        className="max-[22.5rem]:[&_svg]:hidden md:hidden"
        icon={<SlidersHorizontal size={16} />}
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
      <FilterSheet {...sheet} open={open} onOpenChange={setOpen} more={more?.fields} />
    </>
  );
}
