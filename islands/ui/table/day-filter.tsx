import { useState } from "react";

/** Before it nobody used Latchkey: a year that is still being typed is none. */
const earliestDay = "2000-01-01";

interface DayFilterProps {
  label: string;
  /** 2025-03-05, or "" for none. */
  value: string;
  onChange: (day: string) => void;
}

/** Over the field on a phone; in it where all filters stand in one row. */
const labelLook =
  "max-md:mb-1.5 max-md:block max-md:font-medium md:pointer-events-none md:absolute md:inset-y-0 md:left-3 md:flex md:items-center md:text-xs md:text-muted";

/** The platform's own date picker. */
export function DayFilter({ label, value, onChange }: DayFilterProps) {
  const [typed, setTyped] = useTypedValue(value);
  return (
    <label className="relative md:w-44">
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

/** The first instant of a day of the reader's (2025-03-05), or of one so many days later; `undefined` for what is no day. */
export function beginningOfDay(day: string, daysLater = 0): string | undefined {
  const [, year, month, date] = day.match(/^(\d{4})-(\d\d)-(\d\d)$/) ?? [];
  const instant = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** What stands in a field: what is typed, until the value itself is another one (Clear Filters, the back button). */
export function useTypedValue(value: string) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  if (value !== last) {
    setLast(value);
    setTyped(value);
  }
  return [typed, setTyped] as const;
}
