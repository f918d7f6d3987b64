import { getLogger } from "@logtape/logtape";
import type { Now } from "../../core/clock.ts";
import { foldedKeyText } from "../../core/key-text.ts";
import type { RandomBytes } from "../../core/random.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database, Sql } from "../../db/contract.ts";
import { accountTarget } from "../../facts/account-facts.ts";
import type { Proof, TwoFactorSetup, TwoFactorState } from "../account-schema.ts";
import type { Place } from "../account-store.ts";
import type { AuditedChanges, Options, PersonCaller, Work } from "../audited-changes.ts";
import { ownPasswordWrong, type WrongPasswords } from "../passwords/wrong-passwords.ts";
import type { Seal } from "../sealed.ts";
import { isTotp, newRecoveryCodes, newTotpSecret, recoveryCodeHash, totpStepOf, totpUri } from "./codes.ts";
import * as store from "./two-factor-store.ts";

const log = getLogger(["latchkey", "accounts"]);

export type TwoFactor = ReturnType<typeof createTwoFactor>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  wrongPasswords: WrongPasswords;
  seal: Seal;
  now: Now;
  wallClock: Now;
  randomBytes: RandomBytes;
  /** The name that authenticators show. */
  issuer: string;
}

/** rules.md: Two-factor. `wallClock` is the system's own clock: codes are compared with the time of people's phones. */
export function createTwoFactor({
  database,
  changes,
  wrongPasswords,
  seal,
  now,
  wallClock,
  randomBytes,
  issuer,
}: Dependencies) {
  return {
    async state({ id }: PersonCaller): Promise<TwoFactorState> {
      const factor = await store.twoFactorOf(database.read, id);
      const recoveryCodesLeft = await store.countRecoveryCodes(database.read, id);
      return { enabled: isOn(factor), recoveryCodesLeft };
    },

    /**
     * Makes a secret, which changes nothing until it is confirmed. Throws `TWO_FACTOR_ON` or what a wrong password
     * throws.
     */
    begin: (caller: PersonCaller & Place, password: string): Promise<TwoFactorSetup> =>
      wrongPasswords.afterRight(caller, password, ownPasswordWrong, async ({ id: accountId, username }) => {
        const secret = newTotpSecret(randomBytes);
        const sealedSecret = seal.seal(secret, purposeFor(accountId));
        // Not audited: until a code of it is confirmed, the secret changes nothing.
        const isBegun = await changes.carryOut(caller, async ({ sql }) => ({
          result: await store.beginTwoFactor(sql, accountId, sealedSecret),
          record: null,
        }));
        if (!isBegun) throw alreadyOn();
        return { secret, uri: totpUri(secret, issuer, username) };
      }),

    /**
     * Turns it on and returns the recovery codes, once. Throws `TWO_FACTOR_ON`, `TWO_FACTOR_NOT_BEGUN` or
     * `WRONG_SECOND_FACTOR`.
     */
    confirm(caller: PersonCaller & Place, code: string): Promise<string[]> {
      const recoveryCodes = newRecoveryCodes(randomBytes);
      return wrongPasswords.counted(caller, () =>
        changes.carryOut(caller, async ({ sql }) => {
          const factor = await store.twoFactorOf(sql, caller.id);
          if (!factor) throw new Refusal("TWO_FACTOR_NOT_BEGUN", "Two-factor sign-in has not been set up yet.");
          if (isOn(factor)) throw alreadyOn();
          const step = stepOf(caller.id, factor, foldedKeyText(code));
          if (step === null) throw wrongCode();
          await store.enableTwoFactor(sql, { accountId: caller.id, at: now(), step });
          for (const recoveryCode of recoveryCodes) {
            await store.insertRecoveryCode(sql, caller.id, recoveryCodeHash(recoveryCode));
          }
          return {
            result: recoveryCodes,
            record: { action: "two_factor_enabled", target: accountTarget(caller), details: {} },
          };
        }),
      );
    },

    /** Succeeds even if it is off. Throws what a wrong password throws. */
    turnOff: (caller: PersonCaller & Place, password: string) =>
      wrongPasswords.afterRight(caller, password, ownPasswordWrong, async ({ id }) => {
        await changes.carryOut(caller, async ({ sql }) => {
          const wasOn = await store.removeTwoFactor(sql, id);
          const record = { action: "two_factor_disabled", target: accountTarget(caller), details: {} } as const;
          return { result: undefined, record: wasOn ? record : null };
        });
      }),

    /**
     * Carries out a change once its caller has entered the own password, and the code where it is on. `prepare` runs
     * between the two, and returns the change. Throws what a wrong password and `demand` throw.
     */
    proven: <Result>(
      caller: PersonCaller & Place,
      { password, code }: Proof,
      options: Options,
      prepare: () => Promise<Work<Result>>,
    ): Promise<Result> =>
      wrongPasswords.afterRight(caller, password, ownPasswordWrong, async ({ id }) => {
        const work = await prepare();
        const change: Work<Result> = async (unit, at) => {
          await demand(unit.sql, id, code);
          return work(unit, at);
        };
        return changes.carryOut(caller, change, options);
      }),

    demand,
  };

  /**
   * Uses up the code, if the account needs one, in the transaction that signs the account in. Throws
   * `SECOND_FACTOR_NEEDED` or `WRONG_SECOND_FACTOR`.
   */
  async function demand(sql: Sql, accountId: number, code: string | undefined) {
    const factor = await store.twoFactorOf(sql, accountId);
    if (!factor || !isOn(factor)) return;
    if (code === undefined) {
      throw new Refusal(
        "SECOND_FACTOR_NEEDED",
        "Please enter the code from your authenticator app, or a recovery code.",
      );
    }
    const digits = foldedKeyText(code);
    const isGood = isTotp(digits)
      ? await spendTotp(sql, accountId, factor, digits)
      : await store.spendRecoveryCode(sql, accountId, recoveryCodeHash(code));
    if (!isGood) throw wrongCode();
  }

  async function spendTotp(sql: Sql, accountId: number, factor: store.TwoFactorRow, code: string): Promise<boolean> {
    const step = stepOf(accountId, factor, code);
    return step !== null && store.spendStep(sql, { accountId, step });
  }

  function stepOf(accountId: number, { sealedSecret }: store.TwoFactorRow, code: string): number | null {
    const secret = seal.open(sealedSecret, purposeFor(accountId));
    if (secret !== null) return totpStepOf(secret, code, wallClock());
    const sentence =
      "The two-factor secret of account {accountId} was encrypted with another SECRET. Only recovery codes work.";
    log.error(sentence, { accountId });
    return null;
  }
}

/**
 * After SECRET was changed: seals under the current secret what the previous one sealed. Returns how many secrets that
 * were.
 */
export function sealAnew({ database, seal }: { database: Database; seal: Seal }): Promise<number> {
  return database.transaction(null, async ({ sql }) => {
    let count = 0;
    for (const { accountId, sealedSecret } of await store.allSealed(sql)) {
      const anew = seal.anew(sealedSecret, purposeFor(accountId));
      if (anew === null) continue;
      await store.replaceSealed(sql, accountId, anew);
      count += 1;
    }
    return count;
  });
}

/** Marks the secrets that no secret of the seal opens: only recovery codes work for them. Returns how many. */
export async function loseTwoFactor(sql: Sql, seal: Seal): Promise<number> {
  const lost = (await store.allSealed(sql)).filter((row) => !opens(seal, row));
  for (const { accountId } of lost) await store.markLost(sql, accountId);
  return lost.length;
}

/** Counts the two-factor secrets in use, and those of them that no secret of the seal opens. */
export async function countSealed(sql: Sql, seal: Seal): Promise<{ inUse: number; unopened: number }> {
  const sealed = (await store.allSealed(sql)).filter(({ enabledAt }) => enabledAt !== null);
  return { inUse: sealed.length, unopened: sealed.filter((row) => !opens(seal, row)).length };
}

function opens(seal: Seal, { accountId, sealedSecret }: store.SealedRow): boolean {
  return seal.open(sealedSecret, purposeFor(accountId)) !== null;
}

function isOn(factor: store.TwoFactorRow | null): boolean {
  return factor !== null && factor.enabledAt !== null;
}

function purposeFor(accountId: number): string {
  return `two-factor of account ${accountId}`;
}

function alreadyOn(): Refusal {
  return new Refusal("TWO_FACTOR_ON", "Two-factor sign-in is already on. Turn it off first.");
}

function wrongCode(): Refusal {
  return new Refusal("WRONG_SECOND_FACTOR", "The code is wrong or has already been used.");
}
