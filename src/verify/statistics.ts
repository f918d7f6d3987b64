import { getLogger } from "@logtape/logtape";
import { dayOf, msPerSecond, type Now } from "../core/clock.ts";
import type { Count, Metrics } from "../core/metrics.ts";
import type { Database, Sql } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/maintenance.ts";
import { type NewEvent, recordEvents } from "../facts/outbox-store.ts";
import { type VerdictCode, verdictCodes } from "./schema.ts";
import * as store from "./statistics-store.ts";
import { eraseOlder, hasOlder } from "./statistics-store.ts";

const flushEveryMs = 5 * msPerSecond;
/** Rows of one transaction. Verifications and other writers take their turn between two batches. */
const rowsPerBatch = 100;
const pauseBetweenBatchesMs = 1;
/**
 * Refused keys, refused devices and seen devices that are kept between two flushes. Any beyond that are dropped, so that
 * a flood cannot fill the memory.
 */
const rowsKeptMax = 20_000;

const noDevices: ReadonlyMap<string, string> = new Map();

/** A verdict that was returned to a game client. */
export interface CountedVerdict {
  code: VerdictCode;
  /** `null` where the verdict is NOT_FOUND: a key of another game must not show in its owner's statistics. */
  key: { id: number; resellerId: number | null } | null;
  /** The normal form of the key's text, as the client sent it. */
  text: string;
  deviceId: string;
  isNewDevice: boolean;
  at: number;
}

export type Statistics = ReturnType<typeof createStatistics>;

/**
 * Collects verdicts, refusals and what connected devices sent, and writes all of it every five seconds
 * (rules.md: Counting verdicts). No request waits for that, so a crash may lose the latest.
 */
export function createStatistics(
  { database, metrics }: { database: Database; metrics: Metrics },
  { everyMs = flushEveryMs } = {},
) {
  const totals = totalsFor(metrics);
  let verdicts = new Map<number, store.VerdictCounter>();
  let refusals = new Map<number, store.RefusalCounter>();
  let devicesKept = 0;
  const seen = new Map<string, store.SeenDevice>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushed = Promise.resolve();

  return { count, see, hasNewName, lastSeenDayOf, write };

  /** Runs for every verification, so it allocates nothing for a VALID verdict that has a counter. */
  function count({ code, key, text, deviceId, isNewDevice, at }: CountedVerdict): void {
    totals[code].value += 1;
    const day = dayOf(at);
    const number = codeNumbers[code];
    const counter = verdictCounter(day, key && (key.resellerId ?? store.adminsAsOwner), number);
    counter.count += 1;
    if (isNewDevice && code === "VALID") counter.connected += 1;
    if (key !== null && code !== "VALID") {
      const devices = code === "DEVICE_LIMIT_REACHED" ? new Map([[Bun.hash(deviceId).toString(36), text]]) : noDevices;
      addRefusals({ day, keyId: key.id, code: number, count: 1, lastAt: at, lastDeviceId: deviceId, devices });
    }
    flushLater();
  }

  /** Collects the day and the name of a connected device. Returns false if it was dropped. */
  function see(device: store.SeenDevice): boolean {
    const id = idOf(device);
    const known = seen.get(id);
    if (!known && seen.size >= rowsKeptMax) return false;
    seen.set(id, { ...device, name: device.name ?? known?.name ?? null });
    flushLater();
    return true;
  }

  /** Whether the device sent a name that the database does not have yet. */
  function hasNewName(device: Pick<store.SeenDevice, "keyId" | "deviceId">): boolean {
    return (seen.get(idOf(device))?.name ?? null) !== null;
  }

  /** The day on which the device was seen, if that is not written yet. */
  function lastSeenDayOf(device: Pick<store.SeenDevice, "keyId" | "deviceId">): number | null {
    return seen.get(idOf(device))?.day ?? null;
  }

  /** Writes all that has been collected. What cannot be written stays, and is tried again with the next flush. */
  function write(): Promise<void> {
    flushed = flushed.then(flush);
    return flushed;
  }

  function flushLater(): void {
    timer ??= setTimeout(write, everyMs).unref();
  }

  async function flush(): Promise<void> {
    const verdictBatches = batchesOf(verdicts);
    const refusalBatches = batchesOf(refusals);
    verdicts = new Map();
    refusals = new Map();
    devicesKept = 0;
    for (const batch of verdictBatches) await writeBatch(batch, store.addVerdicts, addVerdicts);
    for (const batch of refusalBatches) await writeBatch(batch, recordRefusals, addRefusals);
    for (const batch of batchesOf(seen)) await writeSeen(batch);
    // Only now, so that flushes do not pile up where the disk is slow.
    clearTimeout(timer);
    timer = undefined;
    if (verdicts.size + refusals.size + seen.size > 0) flushLater();
  }

  async function writeBatch<Counter>(
    batch: Counter[],
    add: (sql: Sql, batch: Counter[]) => Promise<void>,
    mergeBack: (counter: Counter) => void,
  ): Promise<void> {
    try {
      await database.transaction(null, ({ sql }) => add(sql, batch));
    } catch {
      for (const counter of batch) mergeBack(counter);
    }
    await Bun.sleep(pauseBetweenBatchesMs);
  }

  /** Until a device is written, `hasNewName` knows of it. It may be seen again meanwhile, and is then written again. */
  async function writeSeen(batch: store.SeenDevice[]): Promise<void> {
    try {
      await store.writeSeen(database.write, batch);
      for (const device of batch) if (seen.get(idOf(device)) === device) seen.delete(idOf(device));
    } catch {
      // They stay, and are written by the next flush.
    }
    await Bun.sleep(pauseBetweenBatchesMs);
  }

  function verdictCounter(day: number, owner: number | null, code: number): store.VerdictCounter {
    const id = counterId(day, owner ?? noOwner, code);
    const known = verdicts.get(id);
    if (known) return known;
    const counter = { day, owner, code, count: 0, connected: 0 };
    verdicts.set(id, counter);
    return counter;
  }

  function addVerdicts(added: store.VerdictCounter): void {
    const counter = verdictCounter(added.day, added.owner, added.code);
    counter.count += added.count;
    counter.connected += added.connected;
  }

  function addRefusals(added: store.RefusalCounter): void {
    const id = counterId(added.day, added.keyId, added.code);
    const known = refusals.get(id);
    if (!known) {
      if (refusals.size < rowsKeptMax) refusals.set(id, added);
      devicesKept += added.devices.size;
      return;
    }
    const roomFor = Math.min(store.refusedDevicesMax - known.devices.size, rowsKeptMax - devicesKept);
    const unknown = [...added.devices].filter(([device, text]) => known.devices.get(device) !== text);
    const fresh = unknown.slice(0, Math.max(0, roomFor));
    if (fresh.length > 0) known.devices = new Map([...known.devices, ...fresh]);
    devicesKept += fresh.length;
    known.count += added.count;
    // A batch that is merged back is older than what has been counted since.
    if (added.lastAt < known.lastAt) return;
    known.lastAt = added.lastAt;
    known.lastDeviceId = added.lastDeviceId;
  }
}

/** Counts refusals, and tells webhooks of a key's first one with each code and on each day. */
async function recordRefusals(sql: Sql, batch: store.RefusalCounter[]): Promise<void> {
  const first = await store.addRefusals(sql, batch);
  await store.addRefusedDevices(sql, batch);
  const reported = first.filter(({ code }) => !untold.has(verdictCodes[code] as VerdictCode));
  if (reported.length === 0) return;
  const owners = await store.ownersOf(
    sql,
    reported.map(({ keyId }) => keyId),
  );
  const events = reported.map(({ keyId, code, lastAt, lastDeviceId }): NewEvent => {
    const data = { keyId, code: verdictCodes[code], deviceId: lastDeviceId };
    return { type: "key.refused", resellerId: owners.get(keyId) ?? null, at: lastAt, data };
  });
  await recordEvents(sql, events);
}

/** Webhooks are not told of refusals that concern a whole game. */
const untold: ReadonlySet<VerdictCode> = new Set(["MAINTENANCE", "UPDATE_REQUIRED"]);

function idOf({ keyId, deviceId }: Pick<store.SeenDevice, "keyId" | "deviceId">): string {
  return `${keyId} ${deviceId}`;
}

/** Codes are stored as numbers. */
const codeNumbers = Object.fromEntries(verdictCodes.map((code, number) => [code, number])) as Record<
  VerdictCode,
  number
>;

function totalsFor(metrics: Metrics): Record<VerdictCode, Count> {
  const totalOf = metrics.counter({
    name: "latchkey_verdicts_total",
    help: "Verdicts that POST /api/verify returned to game clients.",
    labels: ["code"],
  });
  return Object.fromEntries(verdictCodes.map((code) => [code, totalOf({ code })])) as Record<VerdictCode, Count>;
}

/** The owner of a text that is no key. Ids of accounts are positive. */
const noOwner = -1;
/** Days since 1970 have five digits until the year 2243. */
const daysMax = 100_000;

/**
 * One number for the three, because looking up a text would mean building it for every verification. `id` is an owner's
 * or a key's.
 */
function counterId(day: number, id: number, code: number): number {
  return (id * verdictCodes.length + code) * daysMax + day;
}

function batchesOf<Counter>(counters: Map<unknown, Counter>): Counter[][] {
  const rows = [...counters.values()];
  const starts = Array.from({ length: Math.ceil(rows.length / rowsPerBatch) }, (_, batch) => batch * rowsPerBatch);
  return starts.map((start) => rows.slice(start, start + rowsPerBatch));
}

const log = getLogger(["latchkey", "verify"]);

/** How long refusals stay in a key's timeline. */
export const refusalDaysKept = 90;

/** Figures reach back 365 days. */
const totalDaysKept = 400;
/** Rows of each table that one transaction erases. */
const rowsErasedAtOnce = 200;

/** How long verdicts are kept (rules.md: Counting verdicts). */
export function createStatisticsRetention({ database, now }: { database: Database; now: Now }): Erasure {
  const kept = () => {
    const today = dayOf(now());
    return { refusalsSince: today - refusalDaysKept, totalsSince: today - totalDaysKept, devicesSince: today - 1 };
  };
  return createErasure({
    database,
    name: "retention of verdicts",
    isAnyOld: () => hasOlder(database.read, kept()),
    eraseBatch: () => database.transaction(null, ({ sql }) => eraseOlder(sql, kept(), rowsErasedAtOnce)),
    onFailure: (error) => log.error("Old verdicts could not be removed: {error}", { error }),
  });
}
