import { insertAccount } from "../../accounts/account-store.ts";
import type { AuditedChanges, Caller } from "../../accounts/audited-changes.ts";
import type { Passwords } from "../../accounts/passwords/passwords.ts";
import { insertStaff } from "../../accounts/staff/staff-store.ts";

/** Makes a staff account of a reseller, who looks after its keys. */
export async function addHelper(
  { changes, passwords }: { changes: AuditedChanges; passwords: Passwords },
  owner: Caller,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const passwordHash = await passwords.hash(password, { lane: "known", person: String(owner.id) });
  await changes.carryOut(owner, async ({ sql }, at) => {
    const { id: ownerId, role } = owner;
    const rights = "keys:read keys:manage";
    const id = await insertAccount(sql, { role, username, passwordHash, at });
    if (id !== null) await insertStaff(sql, { id, role, ownerId, rights, limitPerDayTenths: null });
    return { result: undefined, record: { action: "staff_created", target: `staff ${username}`, details: { rights } } };
  });
}
