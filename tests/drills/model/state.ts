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
  reason: "token_bonus" | "admin_grant" | "key_purchase";
  amountTenths: number;
  orderId: number | null;
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
  expiresAt: number;
  owner: number | null;
  orderId: number;
  /** The account that revoked it, or `null`. */
  revokedBy: number | null;
  note: string | null;
  /** In the order of connection. A row's id is `null` until a response contains it. */
  devices: readonly { deviceId: string; id: number | null }[];
  /** Events that the fields above do not imply. Sorted, because events in the same millisecond may come in either order. */
  history: readonly string[];
}

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

export function statusOf(key: Key, at: number): "ACTIVE" | "EXPIRED" | "REVOKED" {
  if (key.revokedBy !== null) return "REVOKED";
  return key.expiresAt <= at ? "EXPIRED" : "ACTIVE";
}

/** The instants from which on the rules treat a key or a remembered response differently. */
export function expiriesIn({ keys, idempotentResponses }: State): number[] {
  const ofResponses = [...idempotentResponses.values()].map(({ forgottenAt }) => forgottenAt);
  return [...[...keys.values()].map(({ expiresAt }) => expiresAt), ...ofResponses];
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
export function fingerprint({ resellers, tokens, orders, keys, sessions, idempotentResponses }: State): string {
  const sorted = [resellers, tokens, orders, keys].map((things) => [...things.values()].sort((a, b) => a.id - b.id));
  return JSON.stringify([sorted, [...sessions.keys()].sort(), [...idempotentResponses].sort()]);
}
