import { isoOf, isoOrNull, type Now } from "../../core/clock.ts";
import { creditsOf, tenthsOf } from "../../core/credits.ts";
import { type RandomBytes, randomPassword } from "../../core/random.ts";
import { invalid, Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { accountTarget } from "../../facts/account-facts.ts";
import { type ChangedFields, changedIn } from "../../facts/audit-entry.ts";
import type { Proof } from "../account-schema.ts";
import { insertAccount, type Place, scopesIn, usernameTaken } from "../account-store.ts";
import { removeAccount } from "../admins.ts";
import { type AuditedChanges, type PersonCaller, unchanged, type Work } from "../audited-changes.ts";
import { resetPassword } from "../password-change.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { Role } from "../schema.ts";
import { adminRights } from "../scopes.ts";
import { liveSince } from "../sessions.ts";
import { endSessionsOf } from "../store.ts";
import type { TwoFactor } from "../two-factor/two-factor.ts";
import { removeTwoFactor } from "../two-factor/two-factor-store.ts";
import type { NewStaffAccount, StaffAccount, StaffChange, StaffForm } from "./staff-schema.ts";
import * as store from "./staff-store.ts";

/** Without removed ones: of one reseller, and of the admins together. */
const staffMax: Record<Role, number> = { reseller: 20, admin: 50 };

type Owner = PersonCaller & Place;

export type Staff = ReturnType<typeof createStaff>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  passwords: Passwords;
  twoFactor: TwoFactor;
  /** Counts `USERNAME_TAKEN` against a reseller, and refuses all after too many. */
  throttle: { watchTaken: <Result>(resellerId: number, create: () => Promise<Result>) => Promise<Result> };
  now: Now;
  randomBytes: RandomBytes;
}

/** Accounts that help a reseller, or the admins, with chosen rights (rules.md: Staff). */
export function createStaff(dependencies: Dependencies) {
  const { database, changes, passwords, twoFactor, throttle, now, randomBytes } = dependencies;

  return {
    list: async (caller: PersonCaller): Promise<StaffAccount[]> =>
      (await store.listStaff(database.read, ownerIdOf(caller), liveSince(now()))).map(viewOf),

    /**
     * Makes an account with a random password, which is returned once. Throws `INVALID`, `USERNAME_TAKEN`,
     * `TOO_MANY_STAFF`, `TOO_MANY_TRIES` or what `twoFactor.proven` throws.
     */
    create(caller: Owner, form: StaffForm): Promise<NewStaffAccount> {
      const { role } = caller;
      const { username } = form;
      const ownerId = ownerIdOf(caller);
      const terms = termsIn(form, newTerms, role);
      const create = () =>
        twoFactor.proven(caller, form, {}, async () => {
          const { newPassword, passwordHash } = await passwordFor(caller);
          return async ({ sql }, at) => {
            if ((await store.countStaff(sql, ownerId)) >= staffMax[role]) throw tooMany(role);
            const id = await insertAccount(sql, { role, username, passwordHash, at });
            if (id === null) throw usernameTaken();
            await store.insertStaff(sql, { id, role, ownerId, ...terms });
            const row = { ...terms, id, username, hasTwoFactor: 0, createdAt: at, lastSeenAt: null };
            const details = changedIn(fieldsOf(newTerms), fieldsOf(terms)) ?? {};
            const record = { action: "staff_created", target: targetOf(username), details } as const;
            return { result: { ...viewOf(row), newPassword }, record };
          };
        });
      // A taken username tells a reseller who exists.
      return role === "admin" ? create() : throttle.watchTaken(caller.id, create);
    },

    /**
     * What is left out stays. Only a switch-off needs no password, and it does not count: an owner must be able to lock
     * a thief out. Throws `NOT_FOUND`, `INVALID` or what `twoFactor.proven` throws.
     */
    change(caller: Owner, id: number, form: StaffChange): Promise<StaffAccount> {
      const work: Work<StaffAccount> = async ({ sql }, at) => {
        const before = found(await store.staffAccount(sql, { id, ownerId: ownerIdOf(caller) }, liveSince(at)));
        const terms = termsIn(form, before, caller.role);
        const details = changedIn(fieldsOf(before), fieldsOf(terms));
        if (!details) return unchanged(viewOf(before));
        await store.changeStaff(sql, id, terms);
        const ended = terms.isActive === 0 ? await endSessionsOf(sql, { accountId: id }) : [];
        const after = { ...before, ...terms, ...(ended.length > 0 && { lastSeenAt: null }) };
        const record = { action: "staff_changed", target: targetOf(before.username), details } as const;
        return { result: viewOf(after), record, events: closing(ended) };
      };
      const { rights, creditsPerDay, isActive, password, code } = form;
      const isMore = [rights, creditsPerDay, password, code].some((field) => field !== undefined);
      if (isActive === false && !isMore) return changes.carryOut(caller, work, { isCounted: false });
      termsIn(form, newTerms, caller.role);
      if (password === undefined) throw invalid("password", "Your current password is required");
      return twoFactor.proven(caller, { password, code }, {}, async () => work);
    },

    /** The sessions end and the name is free again. What the account did keeps it. Throws `NOT_FOUND`. */
    async remove(caller: PersonCaller, id: number): Promise<void> {
      const work: Work<undefined> = async ({ sql }, at) => {
        const { username } = found(await store.staffAccount(sql, { id, ownerId: ownerIdOf(caller) }, liveSince(at)));
        const ended = (await removeAccount(sql, { id, at })) ?? [];
        const details = { sessions: ended.length };
        const record = { action: "staff_removed", target: targetOf(username), details } as const;
        return { result: undefined, record, events: closing(ended) };
      };
      await changes.carryOut(caller, work, { isCounted: false });
    },

    /**
     * Sets a random password, which is returned once, ends the sessions, turns two-factor off and forgets the known
     * addresses. Throws `NOT_FOUND` or what `twoFactor.proven` throws.
     */
    resetPassword(caller: Owner, id: number, proof: Proof): Promise<{ newPassword: string }> {
      return twoFactor.proven(caller, proof, { isCounted: false }, async () => {
        const { newPassword, passwordHash } = await passwordFor(caller);
        return async ({ sql }, at) => {
          const { username } = found(await store.staffAccount(sql, { id, ownerId: ownerIdOf(caller) }, liveSince(at)));
          await removeTwoFactor(sql, id);
          const ended = await resetPassword(sql, id, passwordHash);
          const details = { sessions: ended.length };
          const record = { action: "staff_password_reset", target: targetOf(username), details } as const;
          return { result: { newPassword }, record, events: closing(ended) };
        };
      });
    },
  };

  /** Makes a password, once the caller has entered its own. */
  async function passwordFor({ id }: Owner) {
    const newPassword = randomPassword(randomBytes);
    return { newPassword, passwordHash: await passwords.hash(newPassword, { lane: "known", person: String(id) }) };
  }
}

function ownerIdOf({ id, role }: PersonCaller): store.StaffOwner {
  return role === "admin" ? null : id;
}

function found<Row>(row: Row | null): Row {
  if (!row) throw new Refusal("NOT_FOUND", "There is no such staff account.");
  return row;
}

function targetOf(username: string): string {
  return accountTarget({ role: "reseller", username, rights: [] });
}

function closing(ended: number[]) {
  return ended.length > 0 ? [{ about: "sessions" as const, ended }] : [];
}

const newTerms: store.Terms = { rights: "", limitPerDayTenths: null, isActive: 1 };

/** Throws `INVALID`. */
function termsIn({ rights, creditsPerDay, isActive }: StaffChange, before: store.Terms, role: Role): store.Terms {
  const tenths = creditsPerDay == null ? null : tenthsOf(creditsPerDay);
  if (creditsPerDay != null && role === "admin") throw invalid("creditsPerDay", "Only resellers' staff spends credits");
  if (creditsPerDay != null && tenths === null)
    throw invalid("creditsPerDay", "Credits a day may have at most one decimal");
  return {
    // In one order, so that the same rights are no change.
    rights: rights ? adminRights.filter((right) => rights.includes(right)).join(" ") : before.rights,
    limitPerDayTenths: creditsPerDay === undefined ? before.limitPerDayTenths : tenths,
    isActive: isActive === undefined ? before.isActive : Number(isActive),
  };
}

/** For the audit log. */
function fieldsOf({ rights, limitPerDayTenths, isActive }: store.Terms): ChangedFields {
  const creditsPerDay = limitPerDayTenths === null ? "" : creditsOf(limitPerDayTenths);
  return { rights, creditsPerDay, isActive: isActive === 1 };
}

function tooMany(role: Role): Refusal {
  const who = role === "admin" ? "The admins together have" : "A reseller has";
  return new Refusal("TOO_MANY_STAFF", `${who} at most ${staffMax[role]} staff accounts. Remove one first.`);
}

function viewOf(row: store.StaffRow): StaffAccount {
  const { id, username, rights, limitPerDayTenths, isActive, hasTwoFactor, createdAt, lastSeenAt } = row;
  return {
    ...{ id, username, rights: scopesIn(rights) },
    creditsPerDay: limitPerDayTenths === null ? null : creditsOf(limitPerDayTenths),
    ...{ isActive: isActive === 1, hasTwoFactor: hasTwoFactor === 1 },
    ...{ createdAt: isoOf(createdAt), lastSeenAt: isoOrNull(lastSeenAt) },
  };
}
