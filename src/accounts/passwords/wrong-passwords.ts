import { msPerDay, msPerMinute, type Now } from "../../core/clock.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import type { CreateRateLimit, RateLimit } from "../../http/rate-limit.ts";
import { type AccountRow, accountNamed } from "../account-store.ts";
import { type Role, usernameCharactersMax } from "../schema.ts";
import type { Passwords, Turn } from "./passwords.ts";

/** rules.md: Wrong passwords. */
const windowMs = 15 * msPerMinute;
/** Of one account, from all addresses together that it did not sign in from. */
const perAccountMax = 10;
/** Of one account, from one address that it signed in from. */
const perKnownAddressMax = 30;
/** From one address, whatever the names. */
const perAddressMax = 60;

/** rules.md: Wrong passwords. How long an address is known after the account's last sign-in from it. */
const addressKnownMs = 90 * msPerDay;

const wrongSentence = "Invalid username or password";
/** For who is signed in, and gives the password once more. */
export const ownPasswordWrong = "Your current password is wrong.";

/** Somebody who gives a password or a code for an account, which need not exist. */
export interface Claimant {
  role: Role;
  username: string;
  address: string;
}

export interface WrongPasswords {
  /**
   * Carries out `work` if the password is the account's, and counts it if it is not. Throws `WRONG_CREDENTIALS` with `sentence`, `BUSY`,
   * or, once too many were wrong, `TOO_MANY_TRIES`, also for the right one. Names that nobody has are counted, and take as long, like
   * those that somebody has. What `work` throws for a wrong second factor is counted as well.
   */
  afterRight<Result>(
    claimant: Claimant,
    password: string,
    work: (account: AccountRow) => Promise<Result>,
    sentence?: string,
  ): Promise<Result>;
  /** Carries out what throws `WRONG_SECOND_FACTOR` for a wrong code, and counts that like a wrong password. */
  counted<Result>(claimant: Claimant, work: () => Promise<Result>): Promise<Result>;
}

export function createWrongPasswords({
  database,
  passwords,
  createRateLimit,
  now,
}: {
  database: Database;
  passwords: Passwords;
  createRateLimit: CreateRateLimit;
  now: Now;
}): WrongPasswords {
  const ofAccount = createRateLimit({ name: "wrong_passwords_of_account", triesMax: perAccountMax, windowMs });
  const ofKnownAddress = createRateLimit({
    name: "wrong_passwords_at_known_address",
    triesMax: perKnownAddressMax,
    windowMs,
  });
  const ofAddress = createRateLimit({ name: "wrong_passwords_of_address", triesMax: perAddressMax, windowMs });

  return {
    async afterRight(claimant, password, work, sentence = wrongSentence) {
      const account = await find(claimant);
      const counts = countsFor(claimant, account);
      return naming(account, async () => {
        // Who may not try does not wait for a turn either.
        for (const { limit, person } of counts) refuseAfter(await limit.waitSeconds(person));
        const turn = { ...turnOf(claimant, account), begin: () => takeAll(counts) };
        const isRight = await passwords.matches(password, account?.passwordHash ?? null, turn);
        return settled(counts, async () => {
          if (!isRight || !account) throw new Refusal("WRONG_CREDENTIALS", sentence);
          return work(account);
        });
      });
    },

    async counted(claimant, work) {
      const account = await find(claimant);
      const counts = countsFor(claimant, account);
      return naming(account, async () => {
        await takeAll(counts);
        return settled(counts, work);
      });
    },
  };

  function find({ role, username, address }: Claimant): Promise<AccountRow | null> {
    return accountNamed(database.read, { role, username, address, knownSince: knownSince(now()) });
  }

  /** A stranger counts for the account and for the address; at a known address the account counts by itself. */
  function countsFor(claimant: Claimant, account: AccountRow | null): Count[] {
    const { address } = claimant;
    const person = accountIn(claimant);
    if (isKnown(account)) return [{ limit: ofKnownAddress, person: `${address} ${person}` }];
    return [
      { limit: ofAddress, person: address },
      { limit: ofAccount, person },
    ];
  }
}

/** Since when an account must have signed in from an address for it to be known, at an instant. */
export function knownSince(at: number): number {
  return at - addressKnownMs;
}

interface Count {
  limit: RateLimit;
  person: string;
}

/** A name longer than any account's is counted by its beginning, so that it cannot fill the memory. */
function accountIn({ role, username }: Claimant): string {
  return `${role} ${username.slice(0, usernameCharactersMax + 1).toLowerCase()}`;
}

function turnOf({ address }: Claimant, account: AccountRow | null): Turn {
  return isKnown(account) ? { lane: "known", person: String(account.id) } : { lane: "strangers", person: address };
}

function isKnown(account: AccountRow | null): account is AccountRow {
  return account?.knownAddress === 1;
}

/** Tells the log, by the refusal, whose account it is about; a name that nobody has is nobody's. */
async function naming<Result>(account: AccountRow | null, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && account) error.account = account.username;
    throw error;
  }
}

/** Counts the try before anything is looked at, so that parallel guesses cannot pass together. */
async function takeAll(counts: Count[]): Promise<void> {
  const taken: Count[] = [];
  for (const count of counts) {
    const seconds = await count.limit.take(count.person);
    if (seconds !== null) await giveBackAll(taken);
    refuseAfter(seconds);
    taken.push(count);
  }
}

/** Takes the try back unless it was wrong. */
async function settled<Result>(counts: Count[], work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    await giveBackAll(counts);
    return result;
  } catch (error) {
    if (!isWrong(error)) await giveBackAll(counts);
    throw error;
  }
}

async function giveBackAll(counts: Count[]): Promise<void> {
  for (const { limit, person } of counts) await limit.giveBack(person);
}

function isWrong(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "WRONG_CREDENTIALS" || error.code === "WRONG_SECOND_FACTOR");
}

function refuseAfter(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds === null) return;
  throw new Refusal("TOO_MANY_TRIES", "Too many wrong passwords. Please try again later.", { retryAfterSeconds });
}
