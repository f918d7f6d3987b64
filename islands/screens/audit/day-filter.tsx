import { useValueFrom } from "./name-filter.tsx";

/** Before it nobody used Latchkey: a year that is still being typed is none. */
const earliestDay = "2000-01-01";

interface DayFilterProps {
  label: string;
  /** 2025-03-05, or "" for none. */
  value: string;
  onChange: (day: string) => void;
}

/** The platform's own date picker. */
export function DayFilter({ label, value, onChange }: DayFilterProps) {
  const [typed, setTyped] = useValueFrom(value);
  return (
    <label className="relative max-[22.5rem]:col-span-2 md:w-44">
      <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-xs text-muted">
        {label}
      </span>
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
