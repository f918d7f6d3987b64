import { type DateFormat, dateText } from "../format.ts";
import { useHydrated } from "../runtime/hydration.ts";

/** A day and its time. A phone has no room for the year. */
export function Instant({ value }: { value: string }) {
  return (
    <>
      <span className="max-md:hidden">
        <Time value={value} format="instant" />
      </span>
      <span className="md:hidden">
        <Time value={value} format="dateAndTime" />
      </span>
    </>
  );
}

/**
 * A date in the reader's time zone, which the server does not know: it, and the first render in the browser, use UTC,
 * in the same width; the local time follows after hydration, so nothing moves and no mismatch is reported.
 */
export function Time({ value, format = "date" }: { value: string | null | undefined; format?: DateFormat }) {
  const hydrated = useHydrated();
  const text = dateText(value, format, hydrated ? undefined : "UTC");
  if (text === "N/A") return <span>N/A</span>;
  return (
    <time dateTime={value ?? undefined} className="figures whitespace-nowrap">
      {text}
    </time>
  );
}

/** A UTC day, such as the one on which a device was last seen: the same date for every reader. */
export function UtcDay({ value }: { value: string }) {
  return (
    <time dateTime={value} className="figures whitespace-nowrap">
      {dateText(value, "date", "UTC")}
    </time>
  );
}
