import { expect, test } from "bun:test";
import { type AuditedChanges, type Caller, happened } from "../accounts/audited-changes.ts";
import { tellings } from "./facts.ts";
import type { OfKey } from "./key-facts.ts";
import type { Telling } from "./telling.ts";

test("what each action tells, besides its audit entry", () => {
  const told = Object.entries(tellings).map(([action, { webhooks, history, live }]) => {
    const parts = { webhooks, history, live };
    return [action, Object.keys(parts).filter((part) => parts[part as keyof typeof parts] !== null)];
  });
  expect(Object.fromEntries(told)).toEqual({
    signed_in: ["live"],
    signed_out: ["live"],
    password_changed: ["live"],
    password_reset: ["live"],
    sessions_ended: ["live"],
    key_extended: ["webhooks", "history"],
    keys_extended: ["webhooks", "history"],
    device_limit_changed: ["webhooks", "history"],
    key_paused: ["history"],
    key_resumed: ["history"],
    key_replaced: ["webhooks"],
    key_revoked: ["webhooks"],
    device_removed: ["webhooks"],
    keys_generated: ["webhooks"],
    credit_granted: ["webhooks", "live"],
    grant_taken_back: ["webhooks", "live"],
    reseller_suspended: ["webhooks", "live"],
    reseller_reactivated: ["live"],
    registered: ["webhooks"],
  });
});

/** `bun check` proves the rest: each of these lines would be an error if what it says compiled. */
export function doNotCompile({ carryOut }: AuditedChanges, caller: Caller, key: OfKey["key"]): void {
  const paused = { key, owner: null };
  // @ts-expect-error: webhooks and the audit log need what it cost.
  happened("key_extended", { ...paused, hours: 1 }, null);
  // @ts-expect-error: an admin's order says that it cost nothing.
  happened("keys_generated", { orderId: 1, resellerId: null, order: {}, game: "", keyIds: [] }, null);
  // @ts-expect-error: nothing says what is told of this action.
  happened("key_frozen", paused, null);
  // @ts-expect-error: a verb says what it did.
  carryOut(caller, async () => ({ result: key }));
  // @ts-expect-error: a verb that has a fact does not write its own audit entry.
  carryOut(caller, async () => ({ result: key, record: { action: "key_paused", target: "", details: { game: "" } } }));
  const audit = () => ({ target: "", details: { game: "" } });
  // @ts-expect-error: if webhooks get nothing, it says so.
  const _silent: Telling<"key_paused", OfKey> = { audit, history: null, live: null };
  // @ts-expect-error: if the history of the key gets nothing, it says so.
  const _forgotten: Telling<"key_paused", OfKey> = { audit, webhooks: null, live: null };
  // @ts-expect-error: the audit log's details are those of the action.
  const _wrong: Telling<"key_paused", OfKey>["audit"] = () => ({ target: "", details: { hours: 1 } });
}
