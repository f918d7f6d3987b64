import { useState } from "react";

/** The panel is younger; an earlier year is still being typed. */
const earliestDay = "2000-01-01";

interface DayFilterProps {
  label: string;
  /** 2025-03-05, or "" for none. */
  value: string;
  onChange: (day: string) => void;
}

/** Above the field on a phone; inside it where all filters share a row. */
const labelLook =
  "max-md:mb-1.5 max-md:block max-md:font-medium md:pointer-events-none md:absolute md:inset-y-0 md:left-3 md:flex md:items-center md:text-xs md:text-muted";

/** The native date picker. */
export function DayFilter({ label, value, onChange }: DayFilterProps) {
  const [typed, setTyped] = useTypedValue(value);
  return (
    <label className="relative md:w-42">
      <span className={labelLook}>{label}</span>
      <input
        type="date"
        min={earliestDay}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === "" || target.value >= earliestDay) onChange(target.value);
        }}
        className="control pr-2 pl-3 md:pl-12"
      />
    </label>
  );
}

/**
 * The first instant of a day in the reader's time zone (2025-03-05), or of a later day; `undefined` for an invalid day.
 */
export function beginningOfDay(day: string, daysLater = 0): string | undefined {
  const [, year, month, date] = day.match(/^(\d{4})-(\d\d)-(\d\d)$/) ?? [];
  const instant = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** The text of a field: what is typed, until the value changes from outside (Clear Filters, the back button). */
export function useTypedValue(value: string) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  if (value !== last) {
    setLast(value);
    setTyped(value);
  }
  return [typed, setTyped] as const;
}
