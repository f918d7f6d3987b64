import { type FormEvent, useEffect, useState } from "react";
import { deviceLimitUnlimited } from "../../src/catalogue/limits.ts";
import { hoursPerDay, msPerDay, msPerHour, msPerMinute, msPerSecond } from "../../src/core/clock.ts";
import type { Texts } from "../../src/languages/texts/texts.ts";
import type { FoundKey, PlayerNotice, PlayerResult } from "../../src/players/player-result.ts";
import { sendForm } from "../api/api.ts";
import { useHydrated } from "../runtime/hydration.ts";
import { Button } from "../ui/button.tsx";
import { asTyped, TextField } from "../ui/field/field.tsx";

export interface PlayerKeyProps {
  language: string;
  texts: Pick<Texts, "page" | "releases">;
  shown: PlayerResult | null;
}

/** The player's page: a form that takes a key, and what the key is good for. It works without scripts too. */
export default function PlayerKey({ language, texts, shown }: PlayerKeyProps) {
  const [result, setResult] = useState(shown);
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const address = `/k?lang=${language}`;

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      setResult(await lookUp(address, new FormData(event.currentTarget)));
      setFailed(false);
    } catch {
      setFailed(true);
    } finally {
      setBusy(false);
    }
  }

  const { page } = texts;
  const found = result?.found;
  return (
    <>
      <form method="post" action={address} onSubmit={send} className="grid gap-4">
        <TextField
          label={page.key}
          name="key"
          defaultValue={shown?.key ?? ""}
          dir="ltr"
          translate="no"
          required
          maxLength={512}
          {...asTyped}
        />
        <Button type="submit" variant="primary" size="large" wide busy={isBusy}>
          {page.check}
        </Button>
      </form>
      <div role="status" className="grid gap-4">
        {hasFailed && <Note isBad>{page.failed}</Note>}
        {!hasFailed && result && <Notice {...{ result, texts, language }} />}
        {!hasFailed && found === "NOT_FOUND" && <Note isBad>{page.notFound}</Note>}
        {!hasFailed && found && found !== "NOT_FOUND" && (
          <Found {...{ found, texts, language, address, isBusy }} at={result.at} shownKey={result.key} onSend={send} />
        )}
      </div>
    </>
  );
}

/** The response is the page itself, which contains what its island is given. */
async function lookUp(address: string, form: FormData): Promise<PlayerResult | null> {
  const page = await sendForm(address, form);
  const [, props] = /<script[^>]*data-props="player-key"[^>]*>([^<]*)</.exec(page) ?? [];
  if (props === undefined) throw new Error("The response is not this page.");
  return (JSON.parse(props) as PlayerKeyProps).shown;
}

function Note({ isBad, children }: { isBad: boolean; children: string }) {
  const look = isBad ? "border-danger-line bg-danger-soft" : "border-line bg-raised";
  return <p className={`mt-4 rounded-lg border p-4 ${look}`}>{children}</p>;
}

interface Shown {
  texts: Pick<Texts, "page" | "releases">;
  language: string;
}

function Notice({ result: { notice, at, retryAt }, texts, language }: Shown & { result: PlayerResult }) {
  const now = useNow(at);
  const { page, releases } = texts;
  if (notice === null || notice === "RELEASE_TOO_SOON") return null;
  const sentences: Record<Exclude<PlayerNotice, "RELEASE_TOO_SOON">, string> = {
    EMPTY: page.empty,
    TOO_MANY_TRIES: page.tooManyTries.replace("{time}", durationIn(language, Date.parse(retryAt ?? at) - now)),
    RELEASED: releases.done,
    RELEASE_NOT_ALLOWED: releases.notAllowed,
    KEY_NOT_ACTIVE: releases.notActive,
    DEVICE_NOT_FOUND: releases.noDevice,
  };
  return <Note isBad={notice !== "RELEASED"}>{sentences[notice]}</Note>;
}

interface FoundProps extends Shown {
  found: FoundKey;
  at: string;
  shownKey: string;
  address: string;
  isBusy: boolean;
  onSend: (event: FormEvent<HTMLFormElement>) => void;
}

function Found({ found, at, shownKey, texts, language, address, isBusy, onSend }: FoundProps) {
  const { page, releases } = texts;
  const { state, used, limit, devices, mayRelease, allowedAt } = found;
  const isFull = used >= limit;
  const now = useNow(at);
  const mayReleaseNow = mayRelease && (allowedAt === null || Date.parse(allowedAt) <= now);
  return (
    <>
      <Verdict {...{ found, page, language }} />
      <section className="border-t border-line pt-4">
        <h2 className="font-semibold">{page.devices}</h2>
        <p className="mt-1 text-muted">
          {(limit === deviceLimitUnlimited ? page.devicesUsedUnlimited : page.devicesUsed)
            .replace("{used}", String(used))
            .replace("{limit}", String(limit))}
        </p>
        {isFull && mayReleaseNow && <p className="mt-1 text-muted">{page.allInUse}</p>}
        {isFull && state === "WORKS" && !mayRelease && <p className="mt-1 text-muted">{releases.notAllowed}</p>}
        {mayRelease && allowedAt !== null && !mayReleaseNow && used > 0 && (
          <FreeLater {...{ page, language, now, allowedAt }} />
        )}
        {devices && (
          <ul className="mt-3 grid gap-2">
            {devices.map(({ ref, name, lastSeen }) => (
              <li
                key={ref}
                className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-raised p-3"
              >
                <span className="min-w-0">
                  <span dir="auto" className="block wrap-anywhere">
                    {name ?? page.unnamed}
                  </span>
                  <span className="block text-sm text-muted">
                    {page.lastSeen.replace("{date}", dayIn(language, lastSeen))}
                  </span>
                </span>
                {mayReleaseNow && (
                  <form method="post" action={address} onSubmit={onSend}>
                    <input type="hidden" name="key" value={shownKey} />
                    <input type="hidden" name="ref" value={ref} />
                    <Button type="submit" aria-label={`${page.free}: ${name ?? page.unnamed}`} busy={isBusy}>
                      {page.free}
                    </Button>
                  </form>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Verdict({ found, page, language }: { found: FoundKey; page: Texts["page"]; language: string }) {
  const isHydrated = useHydrated();
  const date = found.expiry === null ? "" : momentIn(language, found.expiry, isHydrated ? undefined : "UTC");
  const sentences: Record<FoundKey["state"], string> = {
    WORKS: page.worksUntil.replace("{date}", date),
    WORKS_FROM_FIRST_USE: page.worksFromFirstUse.replace(
      "{duration}",
      durationIn(language, (found.durationHours ?? 0) * msPerHour),
    ),
    MAINTENANCE: page.maintenance,
    REVOKED: page.revoked,
    PAUSED: page.paused,
    EXPIRED: page.expired.replace("{date}", date),
  };
  const isGood = found.state === "WORKS" || found.state === "WORKS_FROM_FIRST_USE";
  return (
    <>
      <p dir="auto" className="mt-4 text-sm text-muted">
        {found.game}
      </p>
      <p className={`text-lg font-semibold ${isGood ? "text-active" : "text-danger-text"}`}>{sentences[found.state]}</p>
      {found.state === "MAINTENANCE" && <p dir="auto">{found.maintenance}</p>}
    </>
  );
}

/** Counts down with scripts; without, it says when. */
function FreeLater({
  page,
  language,
  now,
  allowedAt,
}: Pick<Shown, "language"> & { page: Texts["page"]; now: number; allowedAt: string }) {
  const isHydrated = useHydrated();
  const text = isHydrated
    ? page.freeIn.replace("{time}", durationIn(language, Date.parse(allowedAt) - now))
    : page.freeAt.replace("{date}", momentIn(language, allowedAt, "UTC"));
  return <p className="mt-1 text-muted">{text}</p>;
}

/** The server's time, which was `at` when the page got it. Once scripts run, it moves on every second. */
function useNow(at: string): number {
  const [now, setNow] = useState(Date.parse(at));
  useEffect(() => {
    const begunAt = performance.now();
    const timer = setInterval(() => setNow(Date.parse(at) + performance.now() - begunAt), msPerSecond);
    return () => clearInterval(timer);
  }, [at]);
  return now;
}

/* Dates and durations in the player's language. The panel's own dates do without Intl (format.ts). */

/** A date with its time, in UTC or the reader's time zone, which is named. */
function momentIn(language: string, instant: string, timeZone: "UTC" | undefined): string {
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return formatIn(language, { ...day, ...time, timeZone }).format(new Date(instant));
}

/** A UTC day. */
function dayIn(language: string, day: string): string {
  return formatIn(language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept: to create one takes milliseconds, and a page may list a hundred devices. */
function formatIn(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([language, options]);
  const format = formats.get(name) ?? new Intl.DateTimeFormat(language, options);
  formats.set(name, format);
  return format;
}

/** `30 days`, `23 hours, 5 minutes`, `1 minute`: at most two units, rounded up to minutes. */
function durationIn(language: string, ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / msPerMinute));
  const days = Math.floor((minutes * msPerMinute) / msPerDay);
  const hours = Math.floor((minutes * msPerMinute) / msPerHour) - days * hoursPerDay;
  const parts: [number, string][] = [
    [days, "day"],
    [hours, "hour"],
    [minutes % 60, "minute"],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  const texts = shown.map(([count, unit]) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count),
  );
  return new Intl.ListFormat(language, { type: "unit", style: "long" }).format(texts);
}
