import { type FormEvent, useEffect, useState } from "react";
import { deviceLimitUnlimited } from "../../src/catalogue/limits.ts";
import { msPerHour, msPerSecond } from "../../src/core/clock.ts";
import type { Texts } from "../../src/languages/texts/texts.ts";
import type { FoundKey, PlayerNotice, PlayerResult } from "../../src/players/player-result.ts";
import { sendForm } from "../api/api.ts";
import { useHydrated } from "../runtime/hydration.ts";
import { doublePressMs } from "../runtime/once.ts";
import { Button, type ButtonProps } from "../ui/button.tsx";
import { asTyped, TextField } from "../ui/field/field.tsx";
import { KeptFocus } from "../ui/focus.ts";
import { dayIn, durationIn, momentIn } from "./player-dates.ts";

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
        {!hasFailed && result && <Notice {...texts} {...{ result, language }} />}
        {!hasFailed && found === "NOT_FOUND" && <Note isBad>{page.notFound}</Note>}
        {!hasFailed && found && found !== "NOT_FOUND" && (
          <Found {...texts} {...{ found, language, address, isBusy, result }} onSend={send} />
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

interface Shown extends Pick<Texts, "page" | "releases"> {
  language: string;
}

function Notice({ result: { notice, at, retryAt }, page, releases, language }: Shown & { result: PlayerResult }) {
  const now = useNow(at);
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
  result: PlayerResult;
  address: string;
  isBusy: boolean;
  onSend: (event: FormEvent<HTMLFormElement>) => void;
}

function Found({ found, result: { at, key, asked }, page, releases, language, ...sending }: FoundProps) {
  const { state, used, limit, devices, mayRelease, pace, allowedAt } = found;
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
        {mayReleaseNow && pace && used > 0 && <HowOften {...{ page, language, pace }} />}
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
                  <span className="block wrap-anywhere">
                    <bdi translate="no">{name ?? page.unnamed}</bdi>
                  </span>
                  <span className="block text-sm text-muted">
                    {page.lastSeen.replace("{date}", dayIn(language, lastSeen))}
                  </span>
                </span>
                {mayReleaseNow && (
                  <Freeing
                    {...{ page, ...sending }}
                    device={{ key, ref }}
                    name={name ?? page.unnamed}
                    isAsked={asked === ref}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        <KeptFocus />
      </section>
    </>
  );
}

interface FreeingProps extends Pick<FoundProps, "page" | "address" | "isBusy" | "onSend"> {
  /** What the forms send. */
  device: { key: string; ref: string };
  name: string;
  /** Without scripts the question is a second page. */
  isAsked: boolean;
}

/** A button that asks first, in its own place, and then frees the device. */
function Freeing({ page, address, isBusy, onSend, device, name, isAsked }: FreeingProps) {
  const [asking, setAsking] = useState({ isOn: isAsked, sinceMs: Number.NEGATIVE_INFINITY });
  const turn = (isOn: boolean) => (event: FormEvent) => {
    event.preventDefault();
    setAsking({ isOn, sinceMs: performance.now() });
  };
  const form = (
    fields: Record<string, string>,
    onSubmit: (event: FormEvent<HTMLFormElement>) => void,
    button: ButtonProps,
  ) => (
    <form method="post" action={address} onSubmit={onSubmit}>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button {...button} type="submit" busy={isBusy} />
    </form>
  );
  if (!asking.isOn) return form(device, turn(true), { "aria-label": `${page.free}: ${name}`, children: page.free });
  const [before, after] = page.freeAsk.split("{name}");
  const confirm = (event: FormEvent<HTMLFormElement>) => {
    // The second press of a double click on the button that was here.
    if (performance.now() < asking.sinceMs + doublePressMs) event.preventDefault();
    else onSend(event);
  };
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <p className="min-w-0 grow wrap-anywhere">
        {before}
        <bdi translate="no">{name}</bdi>
        {after}
      </p>
      <div className="flex gap-2">
        {form({ ...device, sure: "yes" }, confirm, { variant: "primary", children: page.yes })}
        {form({ key: device.key }, turn(false), { children: page.no })}
      </div>
    </div>
  );
}

function Verdict({ found, page, language }: Pick<FoundProps, "found" | "page" | "language">) {
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
    REPLACED: page.replaced,
    PAUSED: page.paused,
    EXPIRED: page.expired.replace("{date}", date),
  };
  const isGood = found.state === "WORKS" || found.state === "WORKS_FROM_FIRST_USE";
  return (
    <>
      <p className="mt-4 text-sm text-muted">
        <bdi translate="no">{found.game}</bdi>
      </p>
      <p className={`text-lg font-semibold ${isGood ? "text-active" : "text-danger-text"}`}>{sentences[found.state]}</p>
      {found.state === "MAINTENANCE" && <p dir="auto">{found.maintenance}</p>}
    </>
  );
}

/** How often a device can be freed, before one is. */
function HowOften({ page, language, pace }: Omit<Shown, "releases"> & { pace: FoundKey["pace"] & {} }) {
  const wait = page.freePace.replace("{time}", durationIn(language, pace.cooldownHours * msPerHour));
  const most = pace.atMost === null ? "" : page.freeAtMost.replace("{count}", String(pace.atMost));
  return <p className="mt-1 text-muted">{`${wait} ${most}`.trim()}</p>;
}

/** Counts down with scripts; without, it says when. */
function FreeLater({ page, language, now, allowedAt }: Omit<Shown, "releases"> & { now: number; allowedAt: string }) {
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
