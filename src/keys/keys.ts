import type { AuditedChanges, Caller } from "../accounts/audited-changes.ts";
import { keyTarget } from "../catalogue/catalogue.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { type NoteForm, nonBlank } from "../core/field.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { resetAllDevices } from "./devices/device-reset.ts";
import type { DeviceRow, KeyEventRow } from "./devices/device-store.ts";
import * as devices from "./devices/device-store.ts";
import { adminKeyView, deviceView, type KeyRow, resellerKeyView, statusOf } from "./model.ts";
import type { AdminKey, AdminKeyDetail, KeyEvent, ResellerKey, ResellerKeyDetail } from "./schema.ts";
import type { KeyMakers } from "./store.ts";
import * as store from "./store.ts";

/** What happens to keys after `orders/purchase.ts` has made them. */
export interface Keys {
  /** Any key, with its devices, its history and who made it. Throws `NOT_FOUND`. */
  openForAdmin(id: number): Promise<AdminKeyDetail>;
  /** Throws `NOT_FOUND`, also for another reseller's key. */
  openForReseller(resellerId: number, id: number): Promise<ResellerKeyDetail>;
  /** Whether there is such a key for whoever looks: a reseller has but its own. */
  isThere(viewer: Pick<Caller, "id" | "role">, id: number): Promise<boolean>;
  /** Revokes any key that is not revoked. Throws `NOT_FOUND` or `KEY_ALREADY_REVOKED`. */
  revokeAsAdmin(admin: Caller, id: number): Promise<AdminKey>;
  /** Revokes one's own ACTIVE key. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED` or `KEY_NOT_ACTIVE`. */
  revokeAsReseller(reseller: Caller, id: number): Promise<ResellerKey>;
  /** Notes an admin key. Throws `NOT_FOUND`, also for a reseller's key: its note is its reseller's. */
  noteAsAdmin(admin: Caller, id: number, form: NoteForm): Promise<AdminKey>;
  /** Notes one's own key. Throws `NOT_FOUND`. */
  noteAsReseller(reseller: Caller, id: number, form: NoteForm): Promise<ResellerKey>;
  /** Frees one slot of one's own ACTIVE key. Throws `NOT_FOUND` or `KEY_NOT_ACTIVE`. */
  removeDevice(reseller: Caller, keyId: number, deviceRowId: number): Promise<void>;
  /** Removes every device from every key, and returns how many keys had any. */
  resetDevices(admin: Caller): Promise<number>;
}

export function createKeys({
  database,
  changes,
  now,
}: {
  database: Database;
  changes: AuditedChanges;
  now: Now;
}): Keys {
  return {
    async openForAdmin(id) {
      const at = now();
      const key = found(await store.keyOf(database.read, "anyone", id));
      const makers = await store.makersOf(database.read, id);
      const connected = await devices.devicesOf(database.read, id);
      const events = await devices.eventsOf(database.read, id);
      return {
        ...adminKeyView(counted(key, connected), at),
        ...makers,
        revokedAt: key.revokedAt === null ? null : isoOf(key.revokedAt),
        devices: connected.map(deviceView),
        history: historyOf({ key, makers, connected, events, at }),
      };
    },

    async openForReseller(resellerId, id) {
      const key = found(await store.keyOf(database.read, { resellerId }, id));
      const connected = await devices.devicesOf(database.read, id);
      const { devices: deviceCount, ...view } = resellerKeyView(counted(key, connected), now());
      return { ...view, deviceCount, devices: connected.map(deviceView) };
    },

    async isThere(viewer, id) {
      const owner = viewer.role === "admin" ? "anyone" : { resellerId: viewer.id };
      return (await store.keyOf(database.read, owner, id)) !== null;
    },

    revokeAsAdmin: (admin, id) =>
      changes.carryOut(admin, async (unit) => {
        const at = now();
        const revoked = await store.revokeKey(unit, id, {
          owner: "anyone",
          revokedBy: admin.id,
          at,
          evenExpired: true,
        });
        const key = found(await store.keyOf(unit.sql, "anyone", id));
        if (!revoked) throw alreadyRevoked();
        const { owner } = await store.makersOf(unit.sql, id);
        const details = { game: key.game, ...(owner !== null && { owner }) };
        return {
          result: adminKeyView(key, at),
          record: { action: "key_revoked", target: keyTarget(key), details },
        };
      }),

    revokeAsReseller: (reseller, id) =>
      changes.carryOut(reseller, async (unit) => {
        const at = now();
        const owner = { resellerId: reseller.id };
        const revoked = await store.revokeKey(unit, id, { owner, revokedBy: reseller.id, at, evenExpired: false });
        const key = found(await store.keyOf(unit.sql, owner, id));
        if (!revoked) throw key.revokedAt === null ? notActive("revoked") : alreadyRevoked();
        const details = { game: key.game, owner: reseller.username };
        return {
          result: resellerKeyView(key, at),
          record: { action: "key_revoked", target: keyTarget(key), details },
        };
      }),

    noteAsAdmin: async (admin, id, form) => adminKeyView(await note(admin, "admins", id, form), now()),
    noteAsReseller: async (reseller, id, form) =>
      resellerKeyView(await note(reseller, { resellerId: reseller.id }, id, form), now()),

    removeDevice: (reseller, keyId, deviceRowId) =>
      changes.carryOut(reseller, async (unit) => {
        const at = now();
        const key = found(await store.keyOf(unit.sql, { resellerId: reseller.id }, keyId));
        if (statusOf(key, at) !== "ACTIVE") throw notActive("changed");
        const deviceId = await devices.removeDevice(unit, { keyId, deviceRowId, madeBy: reseller.id, at });
        if (deviceId === null) throw new Refusal("NOT_FOUND", "The key has no such device.");
        const record = { action: "device_removed", target: keyTarget(key), details: { deviceId } } as const;
        return { result: undefined, record };
      }),

    resetDevices: (admin) => resetAllDevices({ database, changes, now }, admin),
  };

  function note(caller: Caller, owner: store.Owner, id: number, form: NoteForm): Promise<KeyRow> {
    return changes.carryOut(caller, async (unit) => {
      const change = { owner, note: nonBlank(form.note) ?? null, madeBy: caller.id, at: now() };
      const changed = await store.noteKey(unit, id, change);
      const result = found(await store.keyOf(unit.sql, owner, id));
      const record = { action: "note_changed", target: keyTarget(result), details: {} } as const;
      return { result, record: changed ? record : null };
    });
  }
}

/** The devices that are shown are those that are counted: each look of a page may be of another instant. */
function counted(key: KeyRow, connected: devices.DeviceRow[]): KeyRow {
  return { ...key, deviceCount: connected.length };
}

function found<Row>(row: Row | null): Row {
  if (row === null) throw new Refusal("NOT_FOUND", "There is no such key.");
  return row;
}

function alreadyRevoked(): Refusal {
  return new Refusal("KEY_ALREADY_REVOKED", "The key is already revoked.");
}

function notActive(done: string): Refusal {
  return new Refusal("KEY_NOT_ACTIVE", `Only an active key can be ${done}.`);
}

/** What happened to a key, newest first: what its own rows show, and the events that they no longer show. */
function historyOf({
  key,
  makers,
  connected,
  events,
  at,
}: {
  key: KeyRow;
  makers: KeyMakers;
  connected: DeviceRow[];
  events: KeyEventRow[];
  at: number;
}): KeyEvent[] {
  const entries: { at: number; what: KeyEvent["what"]; by: string | null; deviceId: string | null }[] = [
    { at: key.createdAt, what: "CREATED", by: makers.createdBy, deviceId: null },
    ...connected.map((device) => ({
      at: device.firstConnectedAt,
      what: "DEVICE_CONNECTED" as const,
      by: null,
      deviceId: device.deviceId,
    })),
    ...events,
  ];
  if (key.revokedAt !== null) {
    entries.push({ at: key.revokedAt, what: "REVOKED", by: makers.revokedBy, deviceId: null });
  }
  // A key that was revoked before its expiry never expires.
  if (key.expiresAt <= Math.min(at, key.revokedAt ?? at)) {
    entries.push({ at: key.expiresAt, what: "EXPIRED", by: null, deviceId: null });
  }
  return entries.sort((a, b) => b.at - a.at).map((entry) => ({ ...entry, at: isoOf(entry.at) }));
}
