import { endOfDay, instantIn, msPerHour } from "../../core/clock.ts";
import { deviceIdPattern } from "../../core/device-id.ts";
import { butContains, invisible, noteCharactersMax, visibleLine } from "../../core/field.ts";
import { keyCharactersMax, normalKeyText, sentCharactersMax } from "../../core/key-text.ts";
import { untilStarted } from "../../core/key-time.ts";
import { printable } from "../../core/text.ts";
import type { Column } from "../../keys/export/columns.ts";
import type { DateOrder } from "../schema.ts";
import { plainHeading } from "./headings.ts";
import type { ReadLine, WrongLine } from "./imported-key.ts";

const deviceLimitMax = 100;

/** A hundred years, as far as a key can be extended. */
const durationHoursMax = 876_600;

/** A name of more characters belongs to no game and no account. */
const nameCharactersMax = 64;

const keyPattern = new RegExp(`^[^\\p{Zs}${invisible}]{1,${keyCharactersMax}}$`, "u");

/** Why a line becomes no key. */
class Problem extends Error {
  wrong: Pick<WrongLine, "field" | "value"> = {};
}

export interface Times {
  /** When the import was begun: a continued one reads the same keys. */
  now: number;
  /** Left out, only ISO dates are read. */
  dates?: DateOrder;
}

/**
 * The key of a line, by the rules for values (rules.md: Import files). `value` returns a column's value without
 * surrounding spaces, or "" where the line leaves it out.
 */
export function keyIn(value: (column: Column) => string, line: number, isExport: boolean, times: Times): ReadLine {
  try {
    const text = keyText(value("key"));
    const game = nameIn(value("game")) || wrong("game", "The game is missing.");
    const owner = nameIn(value("owner")) || null;
    const devices = devicesIn(value("devices"), isExport);
    const limit = wholeNumber(value("device_limit"), "device_limit", deviceLimitMax) ?? 1;
    if (devices.length > limit) wrong("devices", `There are ${devices.length} devices, but device_limit is ${limit}.`);
    return {
      ...{ line, text, normalForm: normalKeyText(text), game, owner },
      ...timesIn(value, devices.length, times),
      ...{ deviceLimit: limit, note: noteIn(value("note")), devices },
    };
  } catch (error) {
    if (error instanceof Problem) return { ...wrongLine(line, value("key"), error.message), ...error.wrong };
    throw error;
  }
}

/** A line that becomes no key. */
export function wrongLine(line: number, key: string, problem: string): WrongLine {
  return { line, key: printable(key.slice(0, sentCharactersMax), keyCharactersMax), problem };
}

function wrong(field: Column, sentence: string, value?: string): never {
  throw Object.assign(new Problem(sentence), { wrong: { field, value } });
}

function keyText(text: string): string {
  if (text === "") wrong("key", "The key is missing.");
  // Only a short text is normalised: a cell may have 64 KiB.
  const { length } = keyPattern.test(text) ? [...normalKeyText(text)] : [];
  if (length === 0 || length > keyCharactersMax) {
    wrong("key", `The key must be 1 to ${keyCharactersMax} visible characters without spaces.`);
  }
  return text;
}

function nameIn(text: string): string {
  return text.slice(0, nameCharactersMax).toWellFormed();
}

/** In our own export only spaces divide devices, whose ids may have all other visible characters. */
function devicesIn(text: string, isExport: boolean): string[] {
  const texts = isExport ? text.split(/\s+/) : (listIn(text) ?? text.split(/[\s,;]+/));
  const devices = [...new Set(texts.filter(Boolean))];
  if (!devices.every((device) => deviceIdPattern.test(device))) {
    wrong("devices", "Each device must be 1 to 128 visible characters; spaces separate devices.");
  }
  return devices;
}

/** The texts of a JSON list; null if it is none. */
function listIn(text: string): string[] | null {
  if (!text.startsWith("[")) return null;
  try {
    return JSON.parse(text).map((each: unknown) => String(each ?? "").trim());
  } catch {
    return null;
  }
}

/** A line break in a note becomes a space. */
function noteIn(text: string): string | null {
  const note = text.replace(/[\r\n\t]+/g, " ");
  if (note.length > noteCharactersMax || !visibleLine.test(note)) {
    const rule = `The note must be at most ${noteCharactersMax} characters, without invisible ones`;
    wrong("note", `${rule}${butContains(note)}.`);
  }
  return note || null;
}

function wholeNumber(text: string, column: Column, max: number): number | null {
  if (text === "") return null;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : wrong(column, `${column} must be a whole number from 1 to ${max}.`);
}

/** When the key was made, starts, expires, and was paused and revoked. */
function timesIn(value: (column: Column) => string, deviceCount: number, { now, dates }: Times) {
  const startedAt = past("started");
  const { pausedAt, revokedAt } = endsIn();
  const expiry = instant("expires");
  const durationHours = wholeNumber(value("duration_hours"), "duration_hours", durationHoursMax);
  if (expiry === null && durationHours === null) wrong("expires", "Both expires and duration_hours are missing.");
  const startsAtFirstUse = startIn(value("starts"));
  const hasStarted = !startsAtFirstUse || startedAt !== null;
  const unstarted = "The key starts at first use and has not started, but";
  if (!hasStarted && deviceCount > 0) wrong("devices", `${unstarted} lists devices.`);
  if (!hasStarted && expiry !== null) wrong("expires", `${unstarted} has an expiry.`);

  // Without `created`, a key is as old as the first thing that is known of it.
  const known = [startedAt, pausedAt, revokedAt, expiry && expiry - 1].filter((at) => at !== null);
  const createdAt = past("created") ?? Math.min(now, ...known);
  const start = startedAt ?? (startsAtFirstUse ? null : createdAt);
  const end = start === null ? null : (expiry ?? start + (durationHours ?? 0) * msPerHour);
  if (end !== null && end <= createdAt) wrong("expires", "expires is not after created.");
  return {
    ...{ createdAt, startsAtFirstUse, startedAt: start, durationHours, pausedAt, revokedAt },
    // The last instant of the calendar would mean that it has not started.
    expiresAt: end && Math.min(end, untilStarted - 1),
  };

  /** `status` counts only where the line does not say when. */
  function endsIn(): { pausedAt: number | null; revokedAt: number | null } {
    const pausedAt = past("paused_at");
    const flag = value("revoked").toLowerCase();
    const revokedAt = flag === "true" ? now : flag === "false" ? null : past("revoked");
    if (pausedAt !== null || revokedAt !== null) return { pausedAt, revokedAt };
    const status = value("status").toUpperCase();
    if (!["", "ACTIVE", "EXPIRED", "PAUSED", "REVOKED"].includes(status)) {
      wrong("status", "status must be ACTIVE, PAUSED, EXPIRED or REVOKED.", nameIn(value("status")));
    }
    return { pausedAt: status === "PAUSED" ? now : null, revokedAt: status === "REVOKED" ? now : null };
  }

  function past(column: Column): number | null {
    const at = instant(column);
    if (at === null || at <= now) return at;
    // Today, as a bare date, has not ended yet.
    return at === endOfDay(now) ? now : wrong(column, `${column} is in the future.`);
  }

  /** A bare date is the end of its day in UTC. */
  function instant(column: Column): number | null {
    const text = value(column);
    if (text === "") return null;
    // Databases write a space between the date and the time.
    const found = instantIn(isoTextOf(text, dates).replace(" ", "T"));
    const example = "2026-11-27 or 2026-11-27T14:30:00Z";
    if (!found || found.at < 0) return wrong(column, `${column} must be a date such as ${example}.`);
    return found.isDate ? endOfDay(found.at) : found.at;
  }
}

/** `31.12.2026 14:30` as `2026-12-31 14:30:00`; other texts as they are. */
function isoTextOf(text: string, dates: DateOrder | undefined): string {
  const [, first, , second, year, time = ""] = /^(\d\d?)([./])(\d\d?)\2(\d{4})( \d\d:\d\d(:\d\d)?)?$/.exec(text) ?? [];
  if (dates === undefined || year === undefined) return text;
  const [day = "", month = ""] = dates === "dmy" ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${time}`;
}

function startIn(text: string): boolean {
  const starts = plainHeading(text);
  if (!["", "creation", "firstuse"].includes(starts)) wrong("starts", "starts must be creation or first_use.");
  return starts === "firstuse";
}
