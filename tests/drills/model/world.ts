/** What the product knows, as far as its rules go. A world is never changed in place: what an act does to it is another world. */
export interface World {
  resellers: ReadonlyMap<number, Reseller>;
  tokens: ReadonlyMap<number, Token>;
  orders: ReadonlyMap<number, Order>;
  keys: ReadonlyMap<number, Key>;
  /** Whose session a cookie carries, while it is open. */
  sessions: ReadonlyMap<string, number>;
  /** What was asked under an account's Idempotency-Key, and answered. */
  remembered: ReadonlyMap<string, { asked: string; body: unknown }>;
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
  /** Whose keys they are; `null` for the admin's, which are nobody's. */
  owner: number | null;
  game: string;
  deviceLimit: number;
  days: number;
  count: number;
  costTenths: number;
  note: string | null;
}

export interface Key {
  id: number;
  text: string;
  game: string;
  deviceLimit: number;
  expiresAt: number;
  owner: number | null;
  orderId: number;
  /** Whose account revoked it; `null` while nobody has. */
  revokedBy: number | null;
  note: string | null;
  /** In the order in which they connected. A row's id is known once an answer has told it. */
  devices: readonly { deviceId: string; id: number | null }[];
  /** What has happened to it, but for what the fields above tell. Sorted: of one millisecond either may stand first. */
  history: readonly string[];
}

export const adminId = 1;

export function newWorld(adminCookie: string): World {
  const nothing = new Map();
  const sessions = new Map([[adminCookie, adminId]]);
  return { resellers: nothing, tokens: nothing, orders: nothing, keys: nothing, sessions, remembered: nothing };
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

export function resellerNamed(world: World, username: string): Reseller | undefined {
  return [...world.resellers.values()].find((reseller) => reseller.username.toLowerCase() === username.toLowerCase());
}

export function keyNamed(world: World, text: string): Key | undefined {
  return [...world.keys.values()].find((key) => key.text.toLowerCase() === text.trim().toLowerCase());
}

export function statusOf(key: Key, at: number): "ACTIVE" | "EXPIRED" | "REVOKED" {
  if (key.revokedBy !== null) return "REVOKED";
  return key.expiresAt <= at ? "EXPIRED" : "ACTIVE";
}

/** An event of a key's timeline as a text. */
export function eventText(
  kind: string,
  by: string | null,
  deviceId: string | null = null,
  count: number | null = null,
) {
  return JSON.stringify([kind, by, deviceId, count]);
}

export function happened(key: Key, ...events: string[]): Key {
  return { ...key, history: [...key.history, ...events].sort() };
}

export function nameOf(world: World, account: number | null): string {
  return world.resellers.get(account as number)?.username ?? "admin";
}

/** The same text for worlds in which the same is known, in whatever order it came to be. */
export function fingerprint({ resellers, tokens, orders, keys, sessions, remembered }: World): string {
  const sorted = [resellers, tokens, orders, keys].map((things) => [...things.values()].sort((a, b) => a.id - b.id));
  return JSON.stringify([sorted, [...sessions.keys()].sort(), [...remembered].sort()]);
}
