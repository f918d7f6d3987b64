import { type AuditedChanges, type Caller, happened, unchanged } from "../accounts/audited-changes.ts";
import type { Role, SessionUser } from "../accounts/schema.ts";
import { isoOf, msPerDay, type Now } from "../core/clock.ts";
import { type NoteForm, nonBlank } from "../core/field.ts";
import { keyTarget } from "../core/key-text.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { recentRowsMax } from "../http/limits.ts";
import { resetAllDevices } from "./devices/device-reset.ts";
import * as devices from "./devices/device-store.ts";
import type { RefuseFreeCalls } from "./free-calls.ts";
import type { Refunds } from "./life/refund.ts";
import { expiringSoonDays } from "./limits.ts";
import { adminKeyView, deviceView, type KeyRow, type KeyView, resellerKeyView, statusOf } from "./model.ts";
import { found, namedOwnerOf } from "./open-key.ts";
import type { AdminKeyDetail, KeyEvent, ResellerKeyDetail } from "./schema.ts";
import * as store from "./store.ts";

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
        ...(await store.pauseFactsOf(database.read, id)),
        ...(await refunds.ofKey(database.read, id)),
      };
    },

    /** Throws `NOT_FOUND`, also for another reseller's key. */
    async openForReseller(resellerId: number, id: number): Promise<ResellerKeyDetail> {
      const key = found(await store.keyOf(database.read, { resellerId }, id));
      const connected = await devices.devicesOf(database.read, id);
      const { devices: deviceCount, ...view } = resellerKeyView(counted(key, connected), now());
      const refund = await refunds.ofKey(database.read, id);
      const pause = await store.pauseFactsOf(database.read, id);
      return { ...view, deviceCount, devices: connected.map(deviceView), ...pause, ...refund };
    },

    /** How many of a reseller's keys expire soon, up to the number that its overview shows. */
    expiringSoon: (resellerId: number): Promise<number> => {
      const at = now();
      const until = at + expiringSoonDays * msPerDay;
      return store.countExpiring(database.read, resellerId, { at, until, countMax: recentRowsMax });
    },

    /** The role of the key's owner, or null if the viewer may not open it. */
    async ownerRoleOf(viewer: SessionUser, id: number): Promise<Role | null> {
      if ((await store.keyOf(database.read, store.ownerFor(viewer), id)) === null) return null;
      return (await store.makersOf(database.read, id)).ownerId === null ? "admin" : "reseller";
    },

    /**
     * Revokes one's own ACTIVE key; as an admin any key that is not revoked. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED`,
     * `KEY_NOT_ACTIVE` or `BALANCE_TOO_LARGE`.
     */
    revoke: <View>(caller: Caller, id: number, view: KeyView<View>): Promise<{ key: View; refund: number }> =>
      changes.carryOut(caller, async (unit, at) => {
        const owner = store.ownerFor(caller);
        const evenExpired = caller.role === "admin";
        const revoked = await store.revokeKey(unit, id, { owner, revokedBy: caller.id, at, evenExpired });
        const key = found(await store.keyOf(unit.sql, owner, id));
        if (key.revokedAt === null) throw notActive("revoked");
        if (!revoked) throw new Refusal("KEY_ALREADY_REVOKED", "The key is already revoked.");
        const refund = await refunds.give(unit.sql, [id], { madeBy: caller.id, at });
        const what = { key, owner: await namedOwnerOf(unit.sql, id), refund };
        return happened("key_revoked", what, { key: view(key, at), refund });
      }),

    /** Notes one's own key, as an admin an admin key. Throws `NOT_FOUND`: a reseller's key only the reseller may note. */
    note: <View>(caller: Caller, id: number, form: NoteForm, view: KeyView<View>): Promise<View> =>
      changes.carryOut(caller, async (unit, at) => {
        const owner = caller.role === "admin" ? "admins" : store.ownerFor(caller);
        const note = nonBlank(form.note) ?? null;
        const changed = await store.noteKeys(unit, [id], { owner, note, madeBy: caller.id, at });
        const key = found(await store.keyOf(unit.sql, owner, id));
        const record = { action: "note_changed", target: keyTarget(key), details: {} } as const;
        return { result: view(key, at), record: changed ? record : null };
      }),

    /**
     * Frees one slot of an ACTIVE key, or all: one's own, for admins any. Returns how many. Throws `NOT_FOUND`,
     * `KEY_NOT_ACTIVE` or `TOO_MANY_TRIES`.
     */
    removeDevices: (caller: Caller, keyId: number, which: number | "all"): Promise<number> =>
      changes.carryOut(caller, async (unit, at) => {
        const key = found(await store.keyOf(unit.sql, store.ownerFor(caller), keyId));
        if (statusOf(key, at) !== "ACTIVE") throw notActive("changed");
        await refuseFreeCalls(unit.sql, caller, keyId, at);
        const connected = (await devices.devicesOf(unit.sql, keyId)).map(({ id }) => id);
        const ids = which === "all" ? connected : connected.filter((id) => id === which);
        if (ids.length === 0 && which === "all") return unchanged(0);
        if (ids.length === 0) throw new Refusal("NOT_FOUND", "The key has no such device.");
        const removed = await devices.removeDevices(unit, { ids, madeBy: caller.id, at });
        const what = { key, owner: await namedOwnerOf(unit.sql, keyId), devices: removed, isAll: which === "all" };
        return happened("device_removed", what, removed.length);
      }),

    /** Removes every device from every key and returns how many keys had any. */
    resetDevices: (admin: Caller) => resetAllDevices({ database, changes, now }, admin),
  };
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
