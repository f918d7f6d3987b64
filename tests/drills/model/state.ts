import { endOf, type Life, pauseEndOf, resumed } from "./life.ts";

/** The data that the product's rules depend on. States are immutable: an action creates a new one. */
export interface State {
  resellers: ReadonlyMap<number, Reseller>;
  tokens: ReadonlyMap<number, Token>;
  orders: ReadonlyMap<number, Order>;
  keys: ReadonlyMap<number, Key>;
  /** The account of each open session, by cookie. */
  sessions: ReadonlyMap<string, number>;
  /** The request and response of each Idempotency-Key, by account and key, and when the response is forgotten. */
  idempotentResponses: ReadonlyMap<string, { request: string; body: unknown; forgottenAt: number }>;
  interventions: ReadonlyMap<number, Intervention>;
  blocks: ReadonlyMap<number, Block>;
  /** The games that are no longer sold. */
  retired: readonly string[];
}

export interface Reseller {
  id: number;
  username: string;
  isActive: boolean;
  suspensionReason: string | null;
  /** Oldest first. */
  ledger: readonly LedgerRow[];
}

export interface LedgerRow {
  reason: "token_bonus" | "admin_grant" | "key_purchase" | "key_extension" | "device_limit_change" | "key_refund";
  amountTenths: number;
  orderId: number | null;
  keyId?: number;
  by: string;
  note: string | null;
}

export interface Token {
  id: number;
  text: string;
  tenths: number;
  usedBy: string | null;
}

export interface Order {
  id: number;
  /** The reseller, or `null` for the admins' keys. */
  owner: number | null;
  game: string;
  deviceLimit: number;
  days: number;
  isFirstUse: boolean;
  /** `null` for an admin's expiry. */
  durationHours: number | null;
  count: number;
  costTenths: number;
  note: string | null;
  createdAt: number;
}

export interface Key {
  id: number;
  text: string;
  game: string;
  deviceLimit: number;
  /** From the response. On PostgreSQL orders placed at the same time may get their ids and their times in different orders. */
  createdAt: number;
  isFirstUse: boolean;
  /** What it lasts from its start, without later extensions. `null` for an admin's expiry. */
  durationHours: number | null;
  life: Life;
  owner: number | null;
  /** `null` for the old text of a key. */
  orderId: number | null;
  /** The key whose old text it is, or `null`. */
  replacedBy: number | null;
  /** When it got new texts. */
  replacedAt: readonly number[];
  /** The account that revoked it, or `null`. */
  revokedBy: number | null;
  note: string | null;
  /** In the order of connection. A row's id is `null` until a response contains it. */
  devices: readonly { deviceId: string; id: number | null }[];
  /** Whether a device ever connected. */
  wasUsed: boolean;
  /** Events that the fields above do not imply. Sorted, because events in the same millisecond may come in either order. */
  history: readonly string[];
}

/** A device that no key that the block covers connects. */
export interface Block {
  id: number;
  /** The reseller whose keys it covers, or `null` for an admin's, which covers all. */
  owner: number | null;
  deviceId: string;
  reason: string;
  by: string;
}

/** What an admin did to many keys at once. */
export interface Intervention extends Intervening {
  id: number;
  count: number;
  /** How many keys it has changed; once undone, how many keep what it gave. */
  done: number;
  isUndone: boolean;
  /** The keys that existed when it began. */
  keys: readonly number[];
}

export interface Intervening {
  kind: "compensate" | "pause" | "resume";
  scope: Scope;
  hours: number | null;
  since: number | null;
  reason: string;
}

export type Scope = { all: true } | { gameId: number } | { resellerId: number } | { orderId: number };

export const adminId = 1;

export function initialState(adminCookie: string): State {
  const nothing = new Map();
  const sessions = new Map([[adminCookie, adminId]]);
  return {
    resellers: nothing,
    tokens: nothing,
    orders: nothing,
    keys: nothing,
    sessions,
    idempotentResponses: nothing,
    interventions: nothing,
    blocks: nothing,
    retired: [],
  };
}

export function put<Id, Thing>(things: ReadonlyMap<Id, Thing>, id: Id, thing: Thing): ReadonlyMap<Id, Thing> {
  return new Map(things).set(id, thing);
}

export function putAll<Thing extends { id: number }>(things: ReadonlyMap<number, Thing>, more: readonly Thing[]) {
  return new Map([...things, ...more.map((thing) => [thing.id, thing] as const)]);
}

export function without<Id, Thing>(things: ReadonlyMap<Id, Thing>, isGone: (thing: Thing, id: Id) => boolean) {
  return new Map([...things].filter(([id, thing]) => !isGone(thing, id)));
}

export function balanceTenths({ ledger }: Reseller): number {
  return ledger.reduce((sum, { amountTenths }) => sum + amountTenths, 0);
}

export function findReseller(state: State, username: string): Reseller | undefined {
  return [...state.resellers.values()].find((reseller) => reseller.username.toLowerCase() === username.toLowerCase());
}

export function findKey(state: State, text: string): Key | undefined {
  const plain = text.replace(/[ \u200f]/g, "").replaceAll("\u2013", "-");
  return [...state.keys.values()].find((key) => key.text.toLowerCase() === plain.toLowerCase());
}

export type Status = "ACTIVE" | "PAUSED" | "EXPIRED" | "REVOKED";

/** At a time, where a reseller's pause may have ended by itself. */
export function statusOf(key: Key, at: number): Status {
  const { revokedBy, life } = settled(key, at);
  if (revokedBy !== null) return "REVOKED";
  if (life.pause !== null) return "PAUSED";
  return (endOf(life) ?? Number.POSITIVE_INFINITY) <= at ? "EXPIRED" : "ACTIVE";
}

/** Whether its time is not over. */
export function isOpen(key: Key, at: number): boolean {
  return ["ACTIVE", "PAUSED"].includes(statusOf(key, at));
}

/** The key after a pause that has ended by itself. */
export function settled(key: Key, at: number): Key {
  const endsAt = key.revokedBy === null ? pauseEndOf(key.life) : null;
  if (endsAt === null || endsAt > at) return key;
  return withEvents({ ...key, life: resumed(key.life, endsAt) }, eventText("resumed", null));
}

/** How long after its order a key without devices gives back what was paid for it. */
export const refundDays = 5;
const refundMs = refundDays * 86_400_000;

/** What was paid for a key, in tenths, where revoking it now gives that back. */
export function refundTenths({ orders, resellers }: State, key: Key, at: number): number {
  const order = orders.get(key.orderId ?? 0);
  const reseller = resellers.get(key.owner as number);
  if (!order || !reseller || key.wasUsed || !isOpen(key, at) || at > order.createdAt + refundMs) return 0;
  const later = reseller.ledger.filter(({ keyId }) => keyId === key.id);
  return later.reduce((sum, { amountTenths }) => sum - amountTenths, order.costTenths / order.count);
}

/** The instants from which on the rules treat a key or a remembered response differently. */
export function expiriesIn({ keys, orders, idempotentResponses }: State): number[] {
  const ofResponses = [...idempotentResponses.values()].map(({ forgottenAt }) => forgottenAt);
  const ofOrders = [...orders.values()].filter(({ costTenths }) => costTenths > 0);
  const refundable = ofOrders.map(({ createdAt }) => createdAt + refundMs + 1);
  return [...[...keys.values()].flatMap(expiriesOf), ...refundable, ...ofResponses];
}

/** When a key's pause ends by itself, and when it expires after that. */
export function expiriesOf(key: Key): number[] {
  if (key.revokedBy !== null) return [];
  const pauseEnd = pauseEndOf(key.life);
  if (key.life.pause !== null && pauseEnd === null) return [];
  const end = endOf(pauseEnd === null ? key.life : resumed(key.life, pauseEnd));
  return [pauseEnd ?? [], end ?? []].flat();
}

/** A timeline event as text. */
export function eventText(
  kind: string,
  by: string | null,
  deviceId: string | null = null,
  count: number | null = null,
) {
  return JSON.stringify([kind, by, deviceId, count]);
}

export function withEvents(key: Key, ...events: string[]): Key {
  return { ...key, history: [...key.history, ...events].sort() };
}

export function nameOf(state: State, account: number | null): string {
  return state.resellers.get(account as number)?.username ?? "admin";
}

/** Equal for states with the same content, in whatever order it was created. */
export function fingerprint(state: State): string {
  const { resellers, tokens, orders, keys, interventions, blocks, sessions, idempotentResponses, retired } = state;
  const things = [resellers, tokens, orders, keys, interventions, blocks];
  const sorted = things.map((each) => [...each.values()].sort((a, b) => a.id - b.id));
  return JSON.stringify([sorted, [...sessions.keys()].sort(), [...idempotentResponses].sort(), retired]);
}
