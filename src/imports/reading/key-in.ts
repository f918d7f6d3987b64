import { endOfDay, instantIn, msPerHour } from "../../core/clock.ts";
import { deviceIdPattern } from "../../core/device-id.ts";
import { butContains, invisible, noteCharactersMax, visibleLine } from "../../core/field.ts";
import { keyCharactersMax, normalKeyText, sentCharactersMax } from "../../core/key-text.ts";
import { untilStarted } from "../../core/key-time.ts";
import { printable } from "../../core/text.ts";
import type { Column } from "../../keys/export/columns.ts";
import { plainHeading } from "./headings.ts";
import type { ReadLine } from "./imported-key.ts";

const deviceLimitMax = 100;

/** A hundred years, as far as a key can be extended. */
const durationHoursMax = 876_600;

/** A name of more characters belongs to no game and no account. */
const nameCharactersMax = 64;

const keyPattern = new RegExp(`^[^\\p{Zs}${invisible}]{1,${keyCharactersMax}}$`, "u");

/** Why a line becomes no key. */
class Problem extends Error {}

/**
 * The key of a line, by the rules for values (rules.md: Import files). `value` returns a column's value without
 * surrounding spaces, or "" where the line leaves it out.
 */
export function keyIn(value: (column: Column) => string, line: number, now: number, isExport: boolean): ReadLine {
  try {
    const text = keyText(value("key"));
    const game = nameIn(value("game")) || wrong("The game is missing.");
    const owner = nameIn(value("owner")) || null;
    const devices = devicesIn(value("devices"), isExport);
    const deviceLimit = wholeNumber(value("device_limit"), "device_limit", deviceLimitMax) ?? 1;
    if (devices.length > deviceLimit) wrong(`There are ${devices.length} devices, but device_limit is ${deviceLimit}.`);
    return {
      ...{ line, text, normalForm: normalKeyText(text), game, owner },
      ...timesIn(value, devices.length, now),
      ...{ deviceLimit, note: noteIn(value("note")), devices },
    };
  } catch (error) {
    if (error instanceof Problem) return wrongLine(line, value("key"), error.message);
    throw error;
  }
}

/** A line that becomes no key. */
export function wrongLine(line: number, key: string, problem: string): ReadLine {
  return { line, key: printable(key.slice(0, sentCharactersMax), keyCharactersMax), problem };
}

function wrong(sentence: string): never {
  throw new Problem(sentence);
}

function keyText(text: string): string {
  if (text === "") wrong("The key is missing.");
  // Only a short text is normalised: a cell may have 64 KiB.
  const { length } = keyPattern.test(text) ? [...normalKeyText(text)] : [];
  if (length === 0 || length > keyCharactersMax) {
    wrong(`The key must be 1 to ${keyCharactersMax} visible characters without spaces.`);
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
    wrong("Each device must be 1 to 128 visible characters; spaces separate devices.");
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
    wrong(`The note must be at most ${noteCharactersMax} characters, without invisible ones${butContains(note)}.`);
  }
  return note || null;
}

function wholeNumber(text: string, column: Column, max: number): number | null {
  if (text === "") return null;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : wrong(`${column} must be a whole number from 1 to ${max}.`);
}

/** When the key was made, starts, expires, and was paused and revoked. */
function timesIn(value: (column: Column) => string, deviceCount: number, now: number) {
  const startedAt = past("started");
  const { pausedAt, revokedAt } = endsIn();
  const expiry = instant("expires");
  const durationHours = wholeNumber(value("duration_hours"), "duration_hours", durationHoursMax);
  if (expiry === null && durationHours === null) wrong("Both expires and duration_hours are missing.");
  const startsAtFirstUse = startIn(value("starts"));
  const hasStarted = !startsAtFirstUse || startedAt !== null;
  if (!hasStarted && deviceCount > 0) wrong("The key starts at first use and has not started, but lists devices.");
  if (!hasStarted && expiry !== null) wrong("The key starts at first use and has not started, but has an expiry.");

  // Without `created`, a key is as old as the first thing that is known of it.
  const known = [startedAt, pausedAt, revokedAt, expiry && expiry - 1].filter((at) => at !== null);
  const createdAt = past("created") ?? Math.min(now, ...known);
  const start = startedAt ?? (startsAtFirstUse ? null : createdAt);
  const end = start === null ? null : (expiry ?? start + (durationHours ?? 0) * msPerHour);
  if (end !== null && end <= createdAt) wrong("expires is not after created.");
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
      wrong("status must be ACTIVE, PAUSED, EXPIRED or REVOKED.");
    }
    return { pausedAt: status === "PAUSED" ? now : null, revokedAt: status === "REVOKED" ? now : null };
  }

  function past(column: Column): number | null {
    const at = instant(column);
    if (at === null || at <= now) return at;
    // Today, as a bare date, has not ended yet.
    return at === endOfDay(now) ? now : wrong(`${column} is in the future.`);
  }

  /** A bare date is the end of its day in UTC. */
  function instant(column: Column): number | null {
    const text = value(column);
    if (text === "") return null;
    // Databases write a space between the date and the time.
    const found = instantIn(text.replace(" ", "T"));
    if (!found || found.at < 0) return wrong(`${column} must be a date such as 2026-11-27 or 2026-11-27T14:30:00Z.`);
    return found.isDate ? endOfDay(found.at) : found.at;
  }
}

function startIn(text: string): boolean {
  const starts = plainHeading(text);
  if (!["", "creation", "firstuse"].includes(starts)) wrong("starts must be creation or first_use.");
  return starts === "firstuse";
}
