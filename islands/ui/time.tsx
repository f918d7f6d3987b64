import { type DateFormat, dateText } from "../format.ts";
import { useHydrated } from "../runtime/hydration.ts";

/** The instant of a row, in the corner of its card on a phone, which is too narrow for the year. */
export function InstantInCorner({ value }: { value: string }) {
  return (
    <>
      <span className="max-md:hidden">
        <Time value={value} format="instant" />
      </span>
      <span className="text-xs text-muted md:hidden">
        <Time value={value} format="dateAndTime" />
      </span>
    </>
  );
}

/**
 * A date in the reader's time zone. The server does not know that zone: it, and the first paint in the browser, say the date in
 * UTC, in the same width; the reader's own follows at hydration, so nothing moves and no mismatch is reported.
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
