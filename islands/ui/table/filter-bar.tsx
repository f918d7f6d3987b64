import { ListChecks, SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { fetchedAhead } from "../../runtime/preload.ts";
import type { UrlState, UrlValues } from "../../state/url-state.ts";
import { Button, IconButton } from "../button.tsx";
import { lazyDialog } from "../dialog/lazy-dialog.tsx";
import { type Choice, NativeSelect } from "../field/native-select.tsx";
import { DayFilter } from "./day-filter.tsx";
import type { FilterSheetProps } from "./filter-sheet.tsx";
import { SearchBox } from "./search-box.tsx";

const FilterSheet = lazyDialog(() => import("./filter-sheet.tsx"));

/** An order of the list. A phone offers them in a select, because its cards have no headings to sort by. */
export interface ListOrder<Sort extends string> {
  sort: Sort;
  descending: "true" | "false";
  label: string;
}

interface FilterBarProps<Values extends UrlValues> extends UrlState<Values> {
  /** The search box of the value `search`. */
  search?: { label: string; placeholder?: string };
  /** Selects, each for one value. Their first choice filters nothing. */
  filters: readonly { name: keyof Values & string; label: string; choices: readonly Choice[] }[];
  orders?: readonly ListOrder<string>[];
  /** Date fields for the values `from` and `to`. */
  days?: boolean;
  /** Another field that is not a select, and whether it is set. */
  more?: { field: ReactNode; isSet: boolean };
  /** Starts choosing rows on a phone; elsewhere each has a checkbox. */
  select?: { label: string; onSelect: () => void };
}

/** The width of a filter, which gives way so that all are on one line. */
export const filterLook = "grow basis-32 md:max-w-44";

/** Filters a list. Its selects are native and need no script. On a phone they are in a sheet, behind one button. */
export function FilterBar<Values extends UrlValues>(props: FilterBarProps<Values>) {
  const { values, clear, narrowed, search, orders = [], days = false, more, select } = props;
  const bar = useRef<HTMLDivElement>(null);
  const change = props.change as (changed: UrlValues) => void;
  const filters = props.filters.map(({ name, label, choices }) => ({
    ...{ label, choices, value: values[name] ?? "" },
    onChange: (value: string) => change({ [name]: value }),
  }));
  const sorting = {
    label: "Sort by",
    value: `${values.sort} ${values.descending}`,
    choices: orders.map(({ sort, descending, label }) => ({ value: `${sort} ${descending}`, label })),
    onChange: (chosen: string) => {
      const [sort = "", descending = ""] = chosen.split(" ");
      change({ sort, descending });
    },
  };
  const fields = (days || more) && (
    <>
      {more?.field}
      {days && (
        <div className="flex gap-2 max-md:contents">
          <DayFilter label="From" value={values.from ?? ""} onChange={(from) => change({ from })} />
          <DayFilter label="To" value={values.to ?? ""} onChange={(to) => change({ to })} />
        </div>
      )}
    </>
  );
  const clearing = {
    icon: <X size={16} />,
    onClick: () => {
      clear();
      // The button disappears, and must not take the focus with it.
      bar.current?.querySelector<HTMLElement>("input, select")?.focus();
    },
  };
  const isSet = [
    ...filters.map(({ value, choices }) => value !== choices[0]?.value),
    ...(days ? [values.from !== "", values.to !== ""] : []),
    more?.isSet,
  ];
  return (
    <div ref={bar} className="mb-3 flex flex-wrap gap-2 md:mb-4">
      {search && (
        <SearchBox
          {...search}
          value={values.search ?? ""}
          onSearch={(text) => change({ search: text })}
          className="grow basis-32 md:max-w-xs"
        />
      )}
      {(isSet.length > 1 || more || orders.length > 0) && (
        <SheetButton
          {...{ narrowed, clear }}
          filters={orders.length > 0 ? [...filters, sorting] : filters}
          more={fields}
          set={isSet.filter(Boolean).length}
        />
      )}
      {select && (
        <IconButton
          label={select.label}
          icon={<ListChecks size={16} />}
          variant="secondary"
          className="md:hidden [--tip-end:0px] [--tip-shift:0]"
          onClick={select.onSelect}
        />
      )}
      <div className="contents max-md:hidden">
        {filters.map(({ label, value, choices, onChange }) => (
          <NativeSelect
            key={label}
            aria-label={label}
            value={value}
            choices={choices}
            onChange={(event) => onChange(event.target.value)}
            className={filterLook}
          />
        ))}
        {fields}
        {narrowed &&
          // With so many filters there is no space for the label.
          (more ? (
            <IconButton label="Clear Filters" {...clearing} />
          ) : (
            <Button variant="ghost" {...clearing}>
              Clear Filters
            </Button>
          ))}
      </div>
    </div>
  );
}

/** Shows how many filters are set, because the sheet hides which. */
function SheetButton({ set, ...sheet }: Omit<FilterSheetProps, "open" | "onOpenChange"> & { set: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        {...fetchedAhead(FilterSheet.load)}
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
      <FilterSheet {...sheet} open={open} onOpenChange={setOpen} />
    </>
  );
}
