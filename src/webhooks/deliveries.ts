import { getLogger } from "@logtape/logtape";
import type { AuditedChanges } from "../accounts/audited-changes.ts";
import type { Seal } from "../accounts/sealed.ts";
import { isoOf, msPerDay, msPerHour, msPerMinute, msPerSecond, type Now } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";
import { coalesced, createErasure, type Erasure, inBatches } from "../db/maintenance.ts";
import { testEventType } from "../facts/webhook-events.ts";
import * as store from "./delivery-store.ts";
import type { Delivery, SwitchOffReason } from "./schema.ts";
import { targetOf as receiverOf } from "./secrets.ts";
import type { Attempt, createSender, SentEvent, Target } from "./sending/sender.ts";
import { moveChat, switchOff, type WebhookRow } from "./webhook-store.ts";
import { detailsOf, targetOf } from "./webhooks.ts";

const log = getLogger(["latchkey", "webhooks"]);

const lookMs = msPerSecond;

/** After another process of the database was found to deliver. */
const lookAgainMs = 10 * msPerSecond;

/** An attempt takes at most 10 s. If its process dies, it is due again after this time. */
const claimMs = 30 * msPerSecond;

/** rules.md: Webhooks. The attempts to resellers' webhooks, and those of one reseller or of all admins together. */
const atOnceOfResellersMax = 24;
const atOncePerOwnerMax = 8;
const atOncePerWebhookMax = 4;
/** After a failure, until an attempt succeeds: most of those that hang would otherwise hang together. */
const atOnceWhileFailingMax = 1;
const backlogMax = 10_000;
const finishedMax = 10_000;
const countMs = 10 * msPerSecond;

/** The time before each attempt, from the end of the one before. */
const waitsMs = [
  0,
  5 * msPerSecond,
  5 * msPerMinute,
  30 * msPerMinute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * msPerHour),
];

/** More than the schedule has: people may resend. */
const triesKept = 30;

const noSecret: Attempt = {
  status: null,
  ms: 0,
  retryAfterMs: null,
  answer: "The secret of this webhook was encrypted with another SECRET.",
};

type Claimed = store.DeliveryRow & { claimedUntil: number };

interface UnderWay {
  webhook: WebhookRow;
  ended: Promise<void>;
}

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  seal: Seal;
  send: ReturnType<typeof createSender>["send"];
  metrics: Metrics;
  now: Now;
}

/** Sends what is due, in one process at a time (rules.md: Webhooks). */
export function createDeliveries({ database, changes, seal, send, metrics, now }: Dependencies) {
  const counterOf = metrics.counter({
    name: "latchkey_webhook_attempts_total",
    help: "Attempts to deliver an event to a webhook.",
    labels: ["result"],
  });
  const counts = { delivered: counterOf({ result: "delivered" }), failed: counterOf({ result: "failed" }) };
  let waiting: number | null = null;
  metrics.gauge({
    name: "latchkey_webhook_deliveries_waiting",
    help: "Events that webhooks have not received yet, at most 10 s ago.",
    read: () => waiting,
  });
  const underWay = new Map<number, UnderWay>();
  /** The webhooks whose last attempt failed. */
  const failing = new Set<number>();
  /** The webhooks that wait for a place, in the order in which they get one. */
  const queue = new Set<number>();
  let isStopping = false;
  let lookAgainAt = 0;
  let lookedUntil: number | null = null;
  /** Sends all that is due, unless another process is doing so. */
  const run = coalesced(async () => {
    if (isStopping || now() < lookAgainAt) return;
    if ((await store.dueWebhooks(database.read, now())).length > 0) await takeTurn();
  });

  const eraseSurplus = coalesced(eraseSurplusOnce);

  return {
    run,
    wake,
    limitBacklogs,
    eraseSurplus,
    /** Delivers from now on. Returns how to stop; `finished` then waits for the attempts under way. */
    begin() {
      const look = setInterval(wake, lookMs).unref();
      const countAll = () => limitBacklogs().then(eraseSurplus).catch(complain);
      const count = setInterval(countAll, countMs).unref();
      void countAll();
      return () => {
        isStopping = true;
        clearInterval(look);
        clearInterval(count);
      };
    },
    async finished(): Promise<void> {
      await run().catch(() => {});
    },
  };

  function wake(): void {
    run().catch(complain);
  }

  function complain(error: unknown): void {
    if (!isStopping) log.error("Webhooks could not be delivered, which is tried again: {error}", { error });
  }

  async function takeTurn(): Promise<void> {
    lookAgainAt = now() + lookAgainMs;
    await database.exclusive("webhooks", async () => {
      lookAgainAt = 0;
      await sendAll();
    });
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      if (!isStopping) await startDue();
      if (underWay.size === 0) return;
      await Promise.race([Bun.sleep(lookMs), ...[...underWay.values()].map(({ ended }) => ended)]);
    }
  }

  /** The webhook that has waited longest comes first. One with as many attempts as it may have does not wait. */
  async function startDue(): Promise<void> {
    const due = (await store.dueWebhooks(database.read, now())).filter((webhook) => ownRoomFor(webhook) > 0);
    const ready = new Map(due.map((webhook) => [webhook.id, webhook]));
    for (const id of queue) if (!ready.has(id)) queue.delete(id);
    for (const id of ready.keys()) queue.add(id);
    for (const id of [...queue]) {
      const webhook = ready.get(id);
      const room = webhook ? roomFor(webhook) : 0;
      if (!webhook || room <= 0) continue;
      queue.delete(id);
      const at = now();
      const claimedUntil = at + claimMs;
      const claim = { webhookId: id, at, claimedUntil, rowsMax: room };
      for (const delivery of await store.claimDue(database.write, claim)) start(webhook, { ...delivery, claimedUntil });
    }
  }

  function roomFor(webhook: WebhookRow): number {
    const ofOwner = atOncePerOwnerMax - countUnderWay(({ owner }) => owner === webhook.owner);
    const ofResellers = atOnceOfResellersMax - countUnderWay(({ owner }) => owner !== 0);
    return Math.min(ownRoomFor(webhook), ofOwner, webhook.owner === 0 ? atOncePerOwnerMax : ofResellers);
  }

  function ownRoomFor(webhook: WebhookRow): number {
    const ownMax = failing.has(webhook.id) ? atOnceWhileFailingMax : atOncePerWebhookMax;
    return ownMax - countUnderWay(({ id }) => id === webhook.id);
  }

  function countUnderWay(isCounted: (webhook: WebhookRow) => boolean): number {
    return [...underWay.values()].filter(({ webhook }) => isCounted(webhook)).length;
  }

  function start(webhook: WebhookRow, delivery: Claimed): void {
    const ended = attempt(webhook, delivery)
      .catch(complain)
      .finally(() => underWay.delete(delivery.id));
    underWay.set(delivery.id, { webhook, ended });
  }

  async function attempt(webhook: WebhookRow, delivery: Claimed): Promise<void> {
    const at = now();
    const made = await sent(webhook, delivery);
    const { status, ms } = made;
    // Receivers choose the text, and only that of a failure helps their owner.
    const answer = isSuccess(status) ? "" : made.answer;
    const tries = [...triesOf(delivery), { at: isoOf(at), status, ms, answer }].slice(-triesKept);
    counts[isSuccess(status) ? "delivered" : "failed"].value += 1;
    if (isSuccess(status)) failing.delete(webhook.id);
    else failing.add(webhook.id);
    const isOver = isSuccess(status) || webhook.isActive === 0 || delivery.type === testEventType;
    const waitMs = isOver ? undefined : waitsMs[tries.length];
    const nextAt = waitMs === undefined ? null : now() + Math.max(waitMs, made.retryAfterMs ?? 0);
    const settled = { ...delivery, tries: JSON.stringify(tries), nextAt };
    const isLast = !isOver && tries.length === waitsMs.length;
    if (status === 410) await endWebhook(webhook.id, "GONE", settled);
    else if (isLast && !tries.some((each) => isSuccess(each.status))) await endWebhook(webhook.id, "FAILED", settled);
    else await store.settle(database.write, settled);
  }

  /** Follows a chat that Telegram has moved. */
  async function sent(webhook: WebhookRow, delivery: Claimed): Promise<Attempt> {
    const sendTo = async (target: Target | null) => (target ? send({ target, event: eventOf(delivery) }) : noSecret);
    const target = receiverOf(seal, webhook, now());
    const made = await sendTo(target);
    if (target?.kind !== "telegram" || made.movedTo == null) return made;
    await changeChat(webhook, made.movedTo);
    return sendTo({ ...target, chatId: made.movedTo });
  }

  function changeChat({ id, chatId }: WebhookRow, to: string): Promise<void> {
    return changes.carryOut("server", async ({ sql }) => {
      const webhook = await moveChat(sql, { id, from: chatId, to });
      if (webhook === null) return { result: undefined, record: null };
      const details = { ...detailsOf(webhook), owner: webhook.username };
      return { result: undefined, record: { action: "webhook_changed", target: targetOf(id), details } };
    });
  }

  /** Switches a webhook off, which ends its pending attempts, and records that in the audit log. */
  function endWebhook(id: number, reason: SwitchOffReason, settled?: store.Settled): Promise<void> {
    return changes.carryOut("server", async ({ sql }) => {
      if (settled) await store.settle(sql, settled);
      const webhook = await switchOff(sql, { id, at: now(), reason });
      if (webhook === null) return { result: undefined, record: null };
      await store.endPending(sql, { webhookId: id });
      const details = { ...detailsOf(webhook), owner: webhook.username, reason };
      return { result: undefined, record: { action: "webhook_switched_off", target: targetOf(id), details } };
    });
  }

  /** Counts what is waiting, and switches off webhooks for which too much is. */
  async function limitBacklogs(): Promise<void> {
    const backlogs = await store.countWaiting(database.read);
    waiting = backlogs.reduce((sum, { count }) => sum + count, 0);
    for (const { webhookId, count } of backlogs) if (count > backlogMax) await endWebhook(webhookId, "BACKLOG");
  }

  /** Erases the oldest finished deliveries of webhooks that got new ones since the last time. */
  async function eraseSurplusOnce(): Promise<void> {
    lookedUntil ??= await store.newestId(database.read);
    for (const { webhookId, newestId } of await store.webhooksAfter(database.read, lookedUntil)) {
      lookedUntil = Math.max(lookedUntil, newestId);
      const until = (await store.surplusUntil(database.read, webhookId, finishedMax)) ?? 0;
      let isAnyLeft = until > 0;
      const batches = function* () {
        while (isAnyLeft && !isStopping) yield;
      };
      await inBatches(batches(), async () => {
        const surplus = { webhookId, until, rowsMax: rowsErasedAtOnce };
        isAnyLeft = await store.eraseFinished(database.write, surplus);
      });
    }
  }
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function triesOf({ tries }: store.DeliveryRow): Delivery["tries"] {
  return JSON.parse(tries);
}

function eventOf({ messageId, type, at, data }: store.DeliveryRow): SentEvent {
  return { id: messageId, type: type as SentEvent["type"], at, data: JSON.parse(data) };
}

/** rules.md: Webhooks. */
const keptMs = 30 * msPerDay;
const rowsErasedAtOnce = 200;

export function createDeliveryRetention({ database, now }: { database: Database; now: Now }): Erasure {
  const keptSince = () => now() - keptMs;
  return createErasure({
    database,
    name: "retention of webhook deliveries",
    isAnyOld: () => store.hasOlder(database.read, keptSince()),
    eraseBatch: () => database.transaction(null, ({ sql }) => store.eraseOldest(sql, keptSince(), rowsErasedAtOnce)),
    onFailure: (error) => log.error("Old deliveries of webhooks could not be removed: {error}", { error }),
  });
}
