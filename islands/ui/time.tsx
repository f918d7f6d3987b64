import { msPerDay, msPerMinute } from "../../src/core/clock.ts";
import { type DateFormat, dateText } from "../format.ts";
import { useHydrated } from "../runtime/hydration.ts";

/** A day and its time; a phone has no room for the year. With `ago`, how long ago that was is below, or beside on a phone. */
export function Instant({ value, ago = false }: { value: string; ago?: boolean }) {
  return (
    <>
      <span className="max-md:hidden">
        <Time value={value} format="instant" />
      </span>
      <span className="md:hidden">
        <Time value={value} format="dateAndTime" />
      </span>
      {ago && (
        <span className="text-xs/4 text-muted max-md:before:content-['_·_'] md:block">
          <Ago value={value} />
        </span>
      )}
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

/** How long ago it was, which only the browser knows. `format`: from a week on, and until then, the date. */
export function Ago({ value, format }: { value: string; format?: DateFormat }) {
  const hydrated = useHydrated();
  const agoMs = Date.now() - Date.parse(value);
  if (format && (!hydrated || agoMs >= weekMs)) return <Time value={value} format={format} />;
  return hydrated ? (
    <time dateTime={value} title={dateText(value, "instant")} className="figures whitespace-nowrap">
      {agoText(agoMs)}
    </time>
  ) : null;
}

const weekMs = 7 * msPerDay;

/** The largest units first, each with its length in minutes. */
const units = { y: 525_600, mo: 43_200, d: 1_440, h: 60, min: 1 };

/** `2 h ago`. A time that is still to come, by a clock that differs, is now. */
export function agoText(agoMs: number): string {
  const minutes = Math.floor(agoMs / msPerMinute);
  const [unit, length] = Object.entries(units).find((each) => minutes >= each[1]) ?? [];
  return unit && length ? `${Math.floor(minutes / length)} ${unit} ago` : "just now";
}

/** A UTC day, such as the one on which a device was last seen: the same date for every reader. */
export function UtcDay({ value }: { value: string }) {
  return (
    <time dateTime={value} className="figures whitespace-nowrap">
      {dateText(value, "date", "UTC")}
    </time>
  );
}
