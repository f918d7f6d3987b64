import { useTypedValue } from "./typed-value.ts";

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
