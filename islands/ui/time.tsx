import { type DateFormat, dateText } from "../format.ts";
import { useHydrated } from "../runtime/hydration.ts";

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
