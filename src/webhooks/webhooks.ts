import type { AuditedChanges, PersonCaller } from "../accounts/audited-changes.ts";
import type { Seal } from "../accounts/sealed.ts";
import { isoOf, isoOrNull, msPerMinute, type Now } from "../core/clock.ts";
import { creditsOf, tenthsOf } from "../core/credits.ts";
import type { RandomBytes } from "../core/random.ts";
import { type FieldProblem, Refusal, refuseProblems } from "../core/refusal.ts";
import { isWebAddress } from "../core/text.ts";
import type { Database, Sql, Unit } from "../db/contract.ts";
import { inBatches } from "../db/maintenance.ts";
import { isIdCursor, pageOf, pageOfRows } from "../db/paging.ts";
import { insertDeliveries } from "../facts/outbox-store.ts";
import { testEventType, type WebhookEventType } from "../facts/webhook-events.ts";
import { type CreateRateLimit, refuseAfter } from "../http/rate-limit.ts";
import * as deliveries from "./delivery-store.ts";
import { startWatching } from "./expiry-store.ts";
import { deliveriesDefault, webhooksPerAccountMax } from "./limits.ts";
import {
  type Delivery,
  type DeliveryListQuery,
  type NewWebhook,
  privateUrlSentence,
  urlSentence,
  type Webhook,
  type WebhookChange,
  type WebhookForm,
} from "./schema.ts";
import { newSecret, purposeFor } from "./secrets.ts";
import { isInternalUrl } from "./sending/public-addresses.ts";
import * as store from "./webhook-store.ts";

/** rules.md: Limits. Tests and resends, which make us call other people's servers, per account and minute. */
const sendsMax = 60;

/** Deliveries that one statement erases, in 1 to 2 ms. */
const rowsErasedAtOnce = 200;

export type Webhooks = ReturnType<typeof createWebhooks>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  seal: Seal;
  /** Whether http addresses are allowed, which are private ones. */
  allowPrivate: boolean;
  /** Makes due attempts now. */
  deliver: () => void;
  createRateLimit: CreateRateLimit;
  now: Now;
  randomBytes: RandomBytes;
}

/** The webhooks of the caller's own account (rules.md: Webhooks). */
export function createWebhooks({
  database,
  changes,
  seal,
  allowPrivate,
  deliver,
  createRateLimit,
  now,
  randomBytes,
}: Dependencies) {
  const sends = createRateLimit({ name: "webhook_sends", triesMax: sendsMax, windowMs: msPerMinute });

  return {
    list: async (caller: PersonCaller): Promise<Webhook[]> =>
      (await store.listWebhooks(database.read, caller.id)).map(viewOf),

    /** Returns it with its secret, which is shown only here. Throws `INVALID` or `TOO_MANY_WEBHOOKS`. */
    async create(caller: PersonCaller, form: WebhookForm): Promise<NewWebhook> {
      const { id: accountId, role } = caller;
      const at = now();
      const { kind } = form;
      const secret = kind === "standard" ? newSecret(randomBytes) : null;
      const owner = role === "admin" ? 0 : accountId;
      const wanted = wantedIn(form, { ...nothingYet, accountId, owner, kind, createdAt: at }, secret);
      return changes.carryOut(caller, async ({ sql }) => {
        await startWatching(sql, at);
        const id = await store.insertWebhook(sql, wanted, webhooksPerAccountMax);
        if (id === null) throw tooMany();
        const row = { ...wanted, id };
        return {
          result: { ...viewOf(row), secret },
          record: { action: "webhook_created", target: targetOf(id), details: detailsOf(row) },
        };
      });
    },

    /** What the form leaves out stays. Throws `NOT_FOUND` or `INVALID`. */
    change: (caller: PersonCaller, id: number, form: WebhookChange): Promise<Webhook> =>
      changes.carryOut(caller, async ({ sql }) => {
        const before = await webhookOf(sql, caller, id);
        const wanted = { ...before, ...wantedIn(form, before, null) };
        const isOn = wanted.isActive === 1;
        const changed = isOn ? { ...wanted, switchedOffAt: null, switchedOffReason: null } : wanted;
        const result = viewOf(changed);
        if (form.botToken === undefined && Bun.deepEquals(viewOf(before), result)) return { result, record: null };
        if (isOn) await startWatching(sql, now());
        await store.updateWebhook(sql, changed);
        if (!isOn) await deliveries.endPending(sql, { webhookId: id });
        return { result, record: { action: "webhook_changed", target: targetOf(id), details: detailsOf(changed) } };
      }),

    /**
     * Ends what is waiting at once, and erases a long history in batches, for which others do not wait. Not counted: a
     * thief must not use up the changes with which an owner stops the events. Throws `NOT_FOUND`.
     */
    async remove(caller: PersonCaller, id: number): Promise<void> {
      const stop = async ({ sql }: Unit) => {
        const webhook = await webhookOf(sql, caller, id);
        await store.updateWebhook(sql, { ...webhook, isActive: 0 });
        await deliveries.endPending(sql, { webhookId: id });
        return { result: webhook, record: null };
      };
      const webhook = await changes.carryOut(caller, stop, { isCounted: false });
      await inBatches(historyOf(id), () => deliveries.eraseSomeOf(database.write, id, rowsErasedAtOnce));
      const remove = async ({ sql }: Unit) => {
        const isDeleted = await store.deleteWebhook(sql, id);
        const record = { action: "webhook_deleted", target: targetOf(id), details: detailsOf(webhook) } as const;
        return { result: undefined, record: isDeleted ? record : null };
      };
      await changes.carryOut(caller, remove, { isCounted: false });
    },

    /** Returns a new secret. The one before signs too for another day. Throws `NOT_FOUND` or `INVALID`. */
    rotate(caller: PersonCaller, id: number): Promise<{ secret: string }> {
      const secret = newSecret(randomBytes);
      return changes.carryOut(caller, async ({ sql }) => {
        const webhook = await webhookOf(sql, caller, id);
        if (webhook.kind !== "standard") throw new Refusal("INVALID", "Only a standard webhook has a secret.");
        await store.rotateSecret(sql, { id, sealedSecret: seal.seal(secret, purposeFor(caller.id)), at: now() });
        const details = { ...detailsOf(webhook), isRotated: true };
        return { result: { secret }, record: { action: "webhook_changed", target: targetOf(id), details } };
      });
    },

    /** Sends a `webhook.test`, once and also to a webhook that is off. Throws `NOT_FOUND` or `TOO_MANY_TRIES`. */
    test: (caller: PersonCaller, id: number): Promise<Delivery> =>
      sent(caller, async (sql, at) => {
        await webhookOf(sql, caller, id);
        const row = {
          webhookId: id,
          messageId: crypto.randomUUID(),
          type: testEventType,
          data: "{}",
          at,
          nextAt: at,
          tries: "[]",
        };
        await insertDeliveries(sql, [row]);
        return row;
      }),

    /** Sends the same event again now. Throws `NOT_FOUND` or `TOO_MANY_TRIES`. */
    resend: (caller: PersonCaller, id: number, messageId: string): Promise<Delivery> =>
      sent(caller, async (sql, at) => {
        await webhookOf(sql, caller, id);
        const row = await deliveries.makeDue(sql, { webhookId: id, messageId, at });
        if (row === null) throw new Refusal("NOT_FOUND", "There is no such delivery.");
        return row;
      }),

    /** Newest first. Throws `NOT_FOUND` or `INVALID`. */
    async deliveries(caller: PersonCaller, id: number, { limit = deliveriesDefault, cursor }: DeliveryListQuery) {
      await webhookOf(database.read, caller, id);
      const page = pageOf({ limit, cursor }, isIdCursor);
      const rows = await deliveries.listDeliveries(database.query(caller), id, page);
      const shown = pageOfRows(rows, limit, (last) => [last.id]);
      return { rows: shown.rows.map(deliveryView), nextCursor: shown.nextCursor };
    },
  };

  async function* historyOf(webhookId: number): AsyncGenerator<void> {
    while (await deliveries.hasAny(database.read, webhookId)) yield;
  }

  async function sent(
    caller: PersonCaller,
    work: (sql: Sql, at: number) => Promise<Omit<deliveries.DeliveryRow, "id">>,
  ): Promise<Delivery> {
    const sentence = "You have sent too many tests and events. Please try again in a minute.";
    refuseAfter(await sends.take(String(caller.id)), sentence);
    const row = await changes.carryOut(caller, async ({ sql }) => ({ result: await work(sql, now()), record: null }));
    deliver();
    return deliveryView(row);
  }

  /** The columns that a form decides. `secret` is that of a new standard webhook. Throws `INVALID`. */
  function wantedIn(form: WebhookChange, before: WebhookColumns, secret: string | null): WebhookColumns {
    const { kind, accountId } = before;
    const isTelegram = kind === "telegram";
    const url = form.url?.trim() ?? before.url;
    const chatId = form.chatId === undefined ? before.chatId : String(form.chatId);
    const sealedSecret = sealed(form.botToken ?? secret, accountId) ?? before.sealedSecret;
    const events = form.events?.join(" ") ?? before.events;
    const tenths = form.creditsBelow == null ? null : tenthsOf(form.creditsBelow);
    const creditsBelowTenths = form.creditsBelow === undefined ? before.creditsBelowTenths : tenths;
    const problems: FieldProblem[] = [];
    const refuseIf = (isWrong: boolean, path: keyof WebhookForm, message: string) => {
      if (isWrong) problems.push({ path, message });
    };
    refuseIf(form.kind !== undefined && form.kind !== kind, "kind", "The kind of a webhook cannot be changed");
    refuseIf(!isTelegram && url === null, "url", "url is required");
    const newUrl = isTelegram || url === before.url ? null : url;
    refuseIf(newUrl !== null && !isAllowed(newUrl), "url", urlSentence);
    refuseIf(newUrl !== null && !allowPrivate && isInternalUrl(newUrl), "url", privateUrlSentence);
    refuseIf(isTelegram && form.url !== undefined, "url", "A Telegram webhook has no url");
    refuseIf(isTelegram && sealedSecret === null, "botToken", "botToken is required");
    refuseIf(!isTelegram && form.botToken !== undefined, "botToken", "Only a Telegram webhook has a botToken");
    refuseIf(isTelegram && chatId === null, "chatId", "chatId is required");
    refuseIf(!isTelegram && form.chatId !== undefined, "chatId", "Only a Telegram webhook has a chatId");
    refuseIf(form.creditsBelow != null && tenths === null, "creditsBelow", "Credits may have at most one decimal");
    const wantsLow = events.split(" ").includes("credits.low");
    refuseIf(wantsLow && creditsBelowTenths === null, "creditsBelow", "creditsBelow is required for credits.low");
    refuseProblems(problems);
    const isActive = Number(form.isActive ?? before.isActive === 1);
    return { ...before, url, chatId, sealedSecret, events, creditsBelowTenths, isActive };
  }

  function sealed(secret: string | null, accountId: number): string | null {
    return secret === null ? null : seal.seal(secret, purposeFor(accountId));
  }

  function isAllowed(url: string): boolean {
    return isWebAddress(url) && (allowPrivate || URL.parse(url)?.protocol === "https:");
  }
}

/** A suspension ends the pending attempts of an account's webhooks, which get no events until it is lifted. */
export async function suspendWebhooks(sql: Sql, accountId: number, isSuspended: boolean, at: number): Promise<void> {
  if (isSuspended) await deliveries.endPending(sql, { accountId });
  else await startWatching(sql, at);
  await store.suspendWebhooksOf(sql, accountId, isSuspended);
}

type WebhookColumns = Omit<store.WebhookRow, "id">;

const nothingYet = {
  url: null,
  chatId: null,
  sealedSecret: null,
  sealedPrevious: null,
  rotatedAt: null,
  events: "",
  creditsBelowTenths: null,
  isActive: 1,
  switchedOffAt: null,
  switchedOffReason: null,
};

/** Throws `NOT_FOUND`, also for another account's. */
async function webhookOf(sql: Sql, { id: accountId }: PersonCaller, id: number): Promise<store.WebhookRow> {
  const webhook = await store.webhookOf(sql, id, accountId);
  if (webhook === null) throw new Refusal("NOT_FOUND", "There is no such webhook.");
  return webhook;
}

/** How the audit log names a webhook: `webhook 4`. */
export function targetOf(id: number): string {
  return `webhook ${id}`;
}

/** Without the address, which may contain a secret. */
export function detailsOf({ kind, url, chatId, events, isActive }: WebhookColumns) {
  const where = url === null ? { chatId: chatId ?? "" } : { host: URL.parse(url)?.host ?? "" };
  return { kind, ...where, events, isActive: isActive === 1 };
}

function tooMany(): Refusal {
  const sentence = `An account has at most ${webhooksPerAccountMax} webhooks. Delete one first.`;
  return new Refusal("TOO_MANY_WEBHOOKS", sentence);
}

function viewOf(row: store.WebhookRow): Webhook {
  const { id, kind, url, chatId, events, isActive, creditsBelowTenths, createdAt } = row;
  const { switchedOffAt: at, switchedOffReason: reason } = row;
  return {
    id,
    kind,
    url,
    chatId,
    events: events.split(" ") as WebhookEventType[],
    isActive: isActive === 1,
    creditsBelow: creditsBelowTenths === null ? null : creditsOf(creditsBelowTenths),
    switchedOff: at === null || reason === null ? null : { at: isoOf(at), reason },
    createdAt: isoOf(createdAt),
  };
}

function deliveryView(row: Omit<deliveries.DeliveryRow, "id">): Delivery {
  const { webhookId, messageId, type, at, nextAt, tries } = row;
  return {
    id: messageId,
    webhookId,
    type: type as Delivery["type"],
    at: isoOf(at),
    nextAt: isoOrNull(nextAt),
    tries: JSON.parse(tries) as Delivery["tries"],
  };
}
