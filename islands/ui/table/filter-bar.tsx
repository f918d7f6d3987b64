import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { Button } from "../button.tsx";
import { type Choice, NativeSelect } from "../field/native-select.tsx";
import { SearchBox } from "./search-box.tsx";

export interface Filter {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  /** Shown on phones only, where a table has no headings to sort by. */
  phoneOnly?: boolean;
}

export interface FilterBarProps {
  search: { label: string; placeholder?: string; value: string; onSearch: (text: string) => void };
  filters?: readonly Filter[];
  /** Stands in a row of its own below them. */
  more?: ReactNode;
  /** Whether anything is set that Clear Filters would take back. */
  narrowed: boolean;
  onClear: () => void;
}

/** Narrows a list. Its selects are the platform's own: they cost no script, and phones have better pickers than we do. */
export function FilterBar({ search, filters = [], more, narrowed, onClear }: FilterBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  return (
    <div ref={bar} className="mb-4 flex flex-col gap-2 md:flex-row md:flex-wrap md:items-center">
      <SearchBox {...search} className="md:max-w-xs md:grow" />
      <div className="grid grid-cols-2 gap-2 *:last:odd:col-span-2 max-[22.5rem]:*:nth-[n+3]:col-span-2 md:flex">
        {filters.map((filter) => (
          <NativeSelect
            key={filter.label}
            aria-label={filter.label}
            value={filter.value}
            choices={filter.choices}
            onChange={(event) => filter.onChange(event.target.value)}
            className={filter.phoneOnly ? "md:hidden" : "md:w-44"}
          />
        ))}
        {narrowed && (
          <Button
            variant="ghost"
            icon={<X aria-hidden size={16} />}
            onClick={() => {
              onClear();
              // The button goes, and the focus must not go with it.
              bar.current?.querySelector<HTMLElement>("input")?.focus();
            }}
          >
            Clear Filters
          </Button>
        )}
      </div>
      {more && <div className="grid basis-full grid-cols-2 gap-2 md:flex md:flex-wrap">{more}</div>}
    </div>
  );
}
