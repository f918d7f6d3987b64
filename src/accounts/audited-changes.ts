import { msPerDay, msPerMinute, type Now } from "../core/clock.ts";
import type { DatabaseEvent } from "../core/events.ts";
import { countedAs } from "../core/fair-semaphore.ts";
import { Refusal, type RefusalCode } from "../core/refusal.ts";
import type { Database, Sql, Unit } from "../db/contract.ts";
import type { Action, Entry } from "../facts/audit-entry.ts";
import { type AuditOnly, type Facts, tellings } from "../facts/facts.ts";
import { addToHistory } from "../facts/history-store.ts";
import { recordEvents } from "../facts/outbox-store.ts";
import type { Actor, Doer, Telling } from "../facts/telling.ts";
import type { SecurityLog } from "../http/logging/security-log.ts";
import { type CreateRateLimit, refuseAfter } from "../http/rate-limit.ts";
import type { Origin } from "../http/request.ts";
import { isProgram, isShop, type Principal, refuseIfEnded, type Viewer } from "./principal.ts";
import { resellerIdOf } from "./schema.ts";
import * as store from "./store.ts";
import { insertRecord } from "./store.ts";

/** Who changes: an account that is signed in, an address that is not (yet), the operator, or the server itself. */
export type By = Caller | { address: string } | "command line" | "server";

export type Work<Result> = (unit: Unit, at: number) => Promise<Outcome<Result>>;

/** What a change returns to its caller, and what it did. */
export type Outcome<Result> = Happened<Result> | Done<Result>;

/** The result of a verb, and the fact that says what it did (`src/facts`). */
export interface Happened<Result> {
  result: Result;
  fact: { did: keyof Facts; what: Facts[keyof Facts] };
}

export function happened<Did extends keyof Facts, Result>(
  did: Did,
  what: Facts[Did],
  result: Result,
): Happened<Result> {
  return { result, fact: { did, what } };
}

/** What a verb returns that found everything as it was to be. */
export function unchanged<Result>(result: Result): Done<Result> {
  return { result, record: null };
}

/** The entry of a change that several transactions make, which tell their parts by hand. */
interface InParts {
  inParts: Entry;
}

/** The same of a change of which no fact is told, or that changed nothing. */
export interface Done<Result> {
  result: Result;
  /** Null if nothing was changed. */
  record: Extract<Entry, { action: AuditOnly }> | InParts | null;
  /** For open pages that an earlier change left to be closed. */
  events?: DatabaseEvent[];
}

/** What is written and published of an outcome. */
interface Told<Result> {
  result: Result;
  record: (Entry & { actor?: Actor }) | null;
  events: DatabaseEvent[];
}

/** The security log repeats these, for programs that monitor the server. */
const loggedActions: ReadonlySet<Action> = new Set([
  "reseller_suspended",
  "reseller_reactivated",
  "credit_granted",
  "grant_taken_back",
  "data_downloaded",
  "keys_exported",
]);

export type AuditedChanges = ReturnType<typeof createAuditedChanges>;

interface Dependencies {
  database: Database;
  securityLog?: Pick<SecurityLog, "done">;
  createRateLimit?: CreateRateLimit;
  now: Now;
}

/** rules.md: Limits. Without a limit, one account could fill the audit log, whose rows stay. */
const changesMax = 600;
const tooManySentence = "Your account has made too many changes. Please try again in a minute.";

/** Past the balance, or past a limit of credits a day. */
const spendingRefusals: ReadonlySet<RefusalCode> = new Set(["CREDITS_SHORT", "CREDITS_PER_DAY_SPENT"]);

export interface Options {
  /** As in `Database.transaction`. Left out, it is the caller's, if that is a reseller. */
  queue?: string;
  /**
   * False for a further part of a call that has been counted, and for calls by which an owner locks others out. A part
   * that counts by itself is done all the same if no change is left.
   */
  isCounted?: boolean | "if any are left";
}

/**
 * The one entry point to the database for every change that a person makes: the change and its row in the audit log are
 * one transaction, so there is neither without the other (rules.md: Audit entries). What game clients write, and what
 * the server does by itself, is not audited. `securityLog` and `createRateLimit` are left out at the command line and
 * for a demo.
 */
export function createAuditedChanges({ database, securityLog, createRateLimit, now }: Dependencies) {
  const limit = createRateLimit?.({ name: "changes", triesMax: changesMax, windowMs: msPerMinute });

  return {
    /** For a call that works before its change is counted. Throws `TOO_MANY_TRIES`, and counts nothing. */
    async refuseTooMany(caller: Caller): Promise<void> {
      refuseAfter((await limit?.waitSeconds(String(countedAs(caller)))) ?? null, tooManySentence, { isHeldBack: true });
    },

    /**
     * Checks in the transaction that the caller is still allowed to act. Throws what `refuseIfEnded` throws, or
     * `TOO_MANY_TRIES` once the account has changed too much.
     */
    async carryOut<Result>(by: By, work: Work<Result>, { queue, isCounted = true }: Options = {}): Promise<Result> {
      const change = () => transact(by, work, queue ?? queueOf(by));
      if (isCounted === "if any are left" && isCaller(by)) await limit?.take(String(countedAs(by)));
      const { result, record } = isCounted === true && isCaller(by) ? await counted(by, change) : await change();
      if (record && loggedActions.has(record.action) && isCaller(by)) securityLog?.done(record, by);
      return result;
    },
  };

  function transact<Result>(by: By, work: Work<Result>, queue: string | null): Promise<Told<Result>> {
    return database.transaction(queue, async (unit) => {
      const at = now();
      if (isCaller(by)) await refuseIfEnded(by, unit, at);
      const told = await toldOf(unit, by, await work(unit, at), at);
      if (told.record) await insertRecord(unit.sql, rowOf(by, told.record, at));
      for (const event of told.events) await unit.publish(event);
      return told;
    });
  }

  async function toldOf<Result>(unit: Unit, by: By, outcome: Outcome<Result>, at: number): Promise<Told<Result>> {
    const { result } = outcome;
    if ("fact" in outcome) {
      const doer = isCaller(by) ? { id: by.id, role: by.role, at } : { id: null, role: null, at };
      return { result, ...(await told(unit, outcome.fact, doer)) };
    }
    const { record, events = [] } = outcome;
    return { result, record: record && "inParts" in record ? record.inParts : record, events };
  }

  /**
   * Counts what is committed with an audit entry, and spending that is refused, except a shop's. Counted first and
   * given back otherwise, so that racing calls cannot pass together.
   */
  async function counted<Result>(caller: Caller, change: () => Promise<Told<Result>>): Promise<Told<Result>> {
    const account = String(countedAs(caller));
    refuseAfter((await limit?.take(account)) ?? null, tooManySentence, { isHeldBack: true });
    let isCounted = false;
    try {
      const done = await change();
      isCounted = done.record !== null;
      return done;
    } catch (error) {
      isCounted = error instanceof Refusal && spendingRefusals.has(error.code) && !isShop(caller);
      throw error;
    } finally {
      if (!isCounted) await limit?.giveBack(account);
    }
  }
}

/** Tells a fact to the history of keys and the webhooks, and returns its audit entry and its notices for pages. */
async function told({ sql }: Unit, { did, what }: Happened<unknown>["fact"], doer: Doer) {
  // The types of a fact and its telling go together, which the union of all of them does not show.
  const { audit, webhooks, history, live } = tellings[did] as Telling<Action, unknown>;
  if (history) await addToHistory(sql, { ...history(what), madeBy: doer.id, at: doer.at });
  if (webhooks) await recordEvents(sql, webhooks(what, doer));
  const record = { action: did, ...audit(what, doer) } as NonNullable<Told<unknown>["record"]>;
  return { record, events: live?.(what, doer) ?? [] };
}

function queueOf(by: By): string | null {
  return isCaller(by) && by.role === "reseller" ? resellerQueue(resellerIdOf(by)) : null;
}

/** What is done by a reseller, or to one, runs one after another: it changes the same balance and the same sessions. */
export function resellerQueue(id: number): string {
  return `reseller ${id}`;
}

function rowOf(by: By, { action, actor, target, details }: NonNullable<Told<unknown>["record"]>, at: number) {
  const who = actor ?? (isCaller(by) ? by : null);
  const unnamed = who ? {} : { by: typeof by === "string" ? by : "nobody" };
  const staffOf = who?.owner ? { staffOf: who.owner.username } : {};
  const program = isCaller(by) && isProgram(by) ? { apiKey: by.apiKey.name } : {};
  const shop = isCaller(by) && isShop(by) ? { shopLink: by.shopLink.name } : {};
  return {
    at,
    action,
    target,
    address: typeof by === "string" ? null : by.address,
    actorId: who?.id ?? null,
    actorUsername: who?.username ?? null,
    actorRole: who?.role ?? null,
    details: JSON.stringify({ ...unnamed, ...details, ...program, ...shop, ...staffOf }),
  };
}

function isCaller(by: By): by is Caller {
  return typeof by === "object" && "id" in by;
}

/** How long a retry returns the first result (rules.md: Retries). */
const rememberedMs = msPerDay;

/**
 * Does `work` once for each Idempotency-Key of an account, in the caller's transaction; without a key, always. A retry
 * returns the first result again. A refusal is not remembered, because `work` throws it and the transaction leaves
 * nothing. Throws `IDEMPOTENCY_KEY_REUSED` when the same key comes with another request.
 */
export async function onceFor<Result>(
  sql: Sql,
  {
    accountId,
    idempotencyKey,
    request,
    at,
  }: { accountId: number; idempotencyKey?: string; request: unknown; at: number },
  work: () => Promise<Outcome<Result>>,
): Promise<Outcome<Result>> {
  if (idempotencyKey === undefined) return work();
  const forgottenAt = at - rememberedMs;
  await store.eraseForgotten(sql, forgottenAt);
  const requestHash = new Bun.CryptoHasher("sha256").update(JSON.stringify(request)).digest("hex");
  const earlier = await store.rememberedResponse(sql, { accountId, idempotencyKey }, forgottenAt);
  if (earlier && earlier.requestHash !== requestHash) {
    throw new Refusal("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was already used for another request.");
  }
  if (earlier) return unchanged(JSON.parse(earlier.response) as Result);
  const done = await work();
  const response = JSON.stringify(done.result);
  await store.rememberResponse(sql, { accountId, idempotencyKey, requestHash, response, at });
  return done;
}

/**
 * Records a download before its first byte is sent (rules.md: Audit entries). `content` has begun, so a download that
 * cannot begin is not recorded, and one that cannot be recorded is cancelled.
 */
export async function notedDownload<Content extends ReadableStream>(
  changes: AuditedChanges,
  by: By,
  record: Done<Content>["record"],
  content: Content,
): Promise<Content> {
  try {
    await changes.carryOut(by, async () => ({ result: undefined, record }));
    return content;
  } catch (error) {
    await content.cancel();
    throw error;
  }
}

/** Who makes a call, and from where. */
export type Caller = Principal & Origin;

/** The same for a call that only people may make. */
export type PersonCaller = Viewer & Origin;
