import type { AuditedChanges, Caller } from "../accounts/audited-changes.ts";
import type { Role } from "../accounts/schema.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { type NoteForm, nonBlank } from "../core/field.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { recordEvents } from "../facts/outbox.ts";
import { releaseDevice } from "./devices/device-removal.ts";
import { resetAllDevices } from "./devices/device-reset.ts";
import * as devices from "./devices/device-store.ts";
import type { RefuseFreeCalls } from "./free-calls.ts";
import { keyTarget } from "./key-target.ts";
import { adminKeyView, deviceView, type KeyRow, resellerKeyView, statusOf } from "./model.ts";
import { found, ownerIdOf } from "./open-key.ts";
import type { AdminKeyDetail, KeyEvent, ResellerKeyDetail } from "./schema.ts";
import * as store from "./store.ts";
import type { Refunds } from "./time/refunds.ts";

export type Keys = ReturnType<typeof createKeys>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  refunds: Refunds;
  refuseFreeCalls: RefuseFreeCalls;
  now: Now;
}

/** What happens to keys after `orders/purchase.ts` has made them. */
export function createKeys({ database, changes, refunds, refuseFreeCalls, now }: Dependencies) {
  return {
    /** Opens any key, with its devices, its history and who made it. Throws `NOT_FOUND`. */
    async openForAdmin(id: number): Promise<AdminKeyDetail> {
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
        history: historyOf(key, makers, connected, events, at),
        ...(await refunds.ofKey(database.read, id)),
      };
    },

    /** Throws `NOT_FOUND`, also for another reseller's key. */
    async openForReseller(resellerId: number, id: number): Promise<ResellerKeyDetail> {
      const key = found(await store.keyOf(database.read, { resellerId }, id));
      const connected = await devices.devicesOf(database.read, id);
      const { devices: deviceCount, ...view } = resellerKeyView(counted(key, connected), now());
      const refund = await refunds.ofKey(database.read, id);
      return { ...view, deviceCount, devices: connected.map(deviceView), ...refund };
    },

    /** The role of the key's owner, or null if the viewer may not open it. */
    async ownerRoleOf(viewer: Pick<Caller, "id" | "role">, id: number): Promise<Role | null> {
      if ((await store.keyOf(database.read, ownerFor(viewer), id)) === null) return null;
      return (await store.makersOf(database.read, id)).ownerId === null ? "admin" : "reseller";
    },

    /** Revokes any key that is not revoked. Throws `NOT_FOUND` or `KEY_ALREADY_REVOKED`. */
    async revokeAsAdmin(admin: Caller, id: number) {
      const { key, refund } = await revoke(admin, "anyone", id);
      return { key: adminKeyView(key, now()), refund };
    },

    /** Revokes one's own ACTIVE key. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED` or `KEY_NOT_ACTIVE`. */
    async revokeAsReseller(reseller: Caller, id: number) {
      const { key, refund } = await revoke(reseller, { resellerId: reseller.id }, id);
      return { key: resellerKeyView(key, now()), refund };
    },

    /** Notes an admin key. Throws `NOT_FOUND`, also for a reseller's key, which only the reseller may note. */
    noteAsAdmin: async (admin: Caller, id: number, form: NoteForm) =>
      adminKeyView(await note(admin, "admins", id, form), now()),
    /** Notes one's own key. Throws `NOT_FOUND`. */
    noteAsReseller: async (reseller: Caller, id: number, form: NoteForm) =>
      resellerKeyView(await note(reseller, { resellerId: reseller.id }, id, form), now()),

    /** Frees one slot of an ACTIVE key: one's own, for admins any. Throws `NOT_FOUND`, `KEY_NOT_ACTIVE` or `TOO_MANY_TRIES`. */
    removeDevice: (caller: Caller, keyId: number, deviceRowId: number) =>
      changes.carryOut(caller, async (unit) => {
        const at = now();
        const key = found(await store.keyOf(unit.sql, ownerFor(caller), keyId));
        if (statusOf(key, at) !== "ACTIVE") throw notActive("changed");
        await refuseFreeCalls(unit.sql, caller, keyId, at);
        const resellerId = await ownerIdOf(unit.sql, caller, keyId);
        const removal = { keyId, deviceRowId, madeBy: caller.id, at };
        const deviceId = await releaseDevice(unit, { ...removal, by: caller.role, resellerId });
        if (deviceId === null) throw new Refusal("NOT_FOUND", "The key has no such device.");
        const record = { action: "device_removed", target: keyTarget(key), details: { deviceId } } as const;
        return { result: undefined, record };
      }),

    /** Removes every device from every key and returns how many keys had any. */
    resetDevices: (admin: Caller) => resetAllDevices({ database, changes, now }, admin),
  };

  function revoke(caller: Caller, owner: store.Owner, id: number): Promise<{ key: KeyRow; refund: number }> {
    return changes.carryOut(caller, async (unit) => {
      // In its turn, so that no refund is dated before the purchase.
      const at = now();
      const evenExpired = caller.role === "admin";
      const revoked = await store.revokeKey(unit, id, { owner, revokedBy: caller.id, at, evenExpired });
      const key = found(await store.keyOf(unit.sql, owner, id));
      if (key.revokedAt === null) throw notActive("revoked");
      if (!revoked) throw new Refusal("KEY_ALREADY_REVOKED", "The key is already revoked.");
      const { owner: username, ownerId: resellerId } = await store.makersOf(unit.sql, id);
      const refund = await refunds.give(unit.sql, [id], { madeBy: caller.id, at });
      const data = { keyId: id, by: caller.role, ...(refund > 0 && { amount: refund }) };
      await recordEvents(unit.sql, [{ type: "key.revoked", resellerId, at, data }]);
      const details = { game: key.game, ...(username !== null && { owner: username }), ...(refund > 0 && { refund }) };
      return { result: { key, refund }, record: { action: "key_revoked", target: keyTarget(key), details } };
    });
  }

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

/** Resellers have only their own keys, admins have all. */
function ownerFor({ role, id }: Pick<Caller, "id" | "role">): store.Owner {
  return role === "admin" ? "anyone" : { resellerId: id };
}

/** Counts the devices that are shown. They were read after the key, so its own count may be older. */
function counted(key: KeyRow, connected: devices.DeviceRow[]): KeyRow {
  return { ...key, deviceCount: connected.length };
}

function notActive(done: string): Refusal {
  return new Refusal("KEY_NOT_ACTIVE", `Only an active key can be ${done}.`);
}

/** What happened to a key, newest first: what its rows still show, and the events that they no longer show. */
function historyOf(
  key: KeyRow,
  makers: store.KeyMakers,
  connected: devices.DeviceRow[],
  events: devices.KeyEventRow[],
  at: number,
): KeyEvent[] {
  const entries: { at: number; what: KeyEvent["what"]; by: string | null; deviceId: string | null }[] = [
    { at: key.createdAt, what: "CREATED", by: makers.createdBy, deviceId: null },
    ...connected.map(({ firstConnectedAt, deviceId }) => {
      return { at: firstConnectedAt, what: "DEVICE_CONNECTED" as const, by: null, deviceId };
    }),
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
