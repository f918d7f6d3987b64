import { msPerDay, msPerMinute, type Now } from "../../core/clock.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { type Count, type CreateRateLimit, firstWait, giveBackAll, takeAll, type Wait } from "../../http/rate-limit.ts";
import { type AccountRow, accountNamed, changePassword, type Place } from "../account-store.ts";
import { type Role, usernameCharactersMax } from "../schema.ts";
import type { Passwords, Turn } from "./passwords.ts";

/** rules.md: Wrong passwords. */
const windowMs = 15 * msPerMinute;
/** For one account, from all addresses together that it has not signed in from. */
const perAccountMax = 10;
/** For one account, from one address or browser that it has signed in from. */
const perKnownAddressMax = 30;
/** From one address, for all names together. */
const perAddressMax = 60;
/** For one account beyond its limit, from addresses that have failed for no account: one try each, from so many. */
const perCleanAddressMax = 1;
const cleanAddressesMax = 20;

/** rules.md: Wrong passwords. How long an address or browser is known after the account's last sign-in from it. */
export const addressKnownMs = 90 * msPerDay;

const tooManySentence = "Too many wrong passwords. Please try again later.";
export const signInWrong = "Invalid username or password";
/** For an account that is signed in and must enter its password again. */
export const ownPasswordWrong = "Your current password is wrong.";

/** Someone who gives a password or a code for an account, which need not exist. */
interface Claimant extends Place {
  role: Role;
  username: string;
}

export type WrongPasswords = ReturnType<typeof createWrongPasswords>;

type Dependencies = { database: Database; passwords: Passwords; createRateLimit: CreateRateLimit; now: Now };

export function createWrongPasswords({ database, passwords, createRateLimit, now }: Dependencies) {
  const limitTo = (triesMax: number, name: string) => createRateLimit({ name, triesMax, windowMs });
  const ofAccount = limitTo(perAccountMax, "wrong_passwords_of_account");
  const ofKnownAddress = limitTo(perKnownAddressMax, "wrong_passwords_at_known_address");
  const ofAddress = limitTo(perAddressMax, "wrong_passwords_of_address");
  const ofCleanAddress = limitTo(perCleanAddressMax, "wrong_passwords_of_clean_address");
  const fromCleanAddresses = limitTo(cleanAddressesMax, "wrong_passwords_from_clean_addresses");

  return {
    /**
     * Runs `work` if the password is the account's, and counts a wrong try if it is not. Throws `WRONG_CREDENTIALS`
     * with `sentence`, `BUSY`, or, after too many wrong tries, `TOO_MANY_TRIES` even for the right password. Unknown
     * names are counted, and take as long, like those of accounts. A wrong second factor that `work` throws is counted
     * too.
     */
    async afterRight<Result>(
      claimant: Claimant,
      password: string,
      sentence: string,
      work: (account: AccountRow) => Promise<Result>,
    ): Promise<Result> {
      const account = await find(claimant);
      const ways = waysFor(claimant, account);
      return naming(account, async () => {
        // A try that is refused anyway does not wait for a turn.
        await firstWay(ways, firstWait);
        let counts: Count[] = [];
        const turn = {
          ...turnOf(claimant, account),
          begin: async () => {
            counts = await firstWay(ways, takeAll);
          },
        };
        const match = await passwords
          .matches(password, account?.passwordHash ?? null, turn)
          .catch((error) => countBusy(error, claimant, account));
        return settled(counts, async () => {
          if (match === "no" || !account) throw new Refusal("WRONG_CREDENTIALS", sentence);
          return work(match === "as sent" ? await hashedAgain(account, password, turn) : account);
        });
      });
    },

    /** Runs `work`, which throws `WRONG_SECOND_FACTOR` for a wrong code, and counts that like a wrong password. */
    async counted<Result>(claimant: Claimant, work: () => Promise<Result>): Promise<Result> {
      const account = await find(claimant);
      return naming(account, async () => {
        const counts = await firstWay(waysFor(claimant, account), takeAll);
        return settled(counts, work);
      });
    },
  };

  /** From now on the normal form of the password matches too. */
  async function hashedAgain(account: AccountRow, password: string, turn: Turn): Promise<AccountRow> {
    const change = { accountId: account.id, from: account.passwordHash, to: await passwords.hash(password, turn) };
    const isChanged = await database.transaction(null, ({ sql }) => changePassword(sql, change));
    return isChanged ? { ...account, passwordHash: change.to } : account;
  }

  function find({ role, username, address, device }: Claimant): Promise<AccountRow | null> {
    return accountNamed(database.read, { role, username, address, device, knownSince: knownSince(now()) });
  }

  /** A stranger's try for which the queue is full counts for the address: it may have pushed another out. */
  async function countBusy(error: unknown, { address }: Claimant, account: AccountRow | null): Promise<never> {
    const isBusy = error instanceof Refusal && error.code === "BUSY";
    if (isBusy && !isKnown(account)) await ofAddress.take(address);
    throw error;
  }

  /**
   * Returns what a try counts for: the first of these that has tries left. At a known address or in a known browser the
   * account counts by itself. A stranger counts for the account and for the address, which is clean until it fails.
   * Beyond the account's limit a few clean addresses have one try each, so that strangers do not lock the owner out.
   */
  function waysFor(claimant: Claimant, account: AccountRow | null): Count[][] {
    const { address } = claimant;
    const person = accountIn(claimant, account);
    if (isKnown(account)) return [[{ limit: ofKnownAddress, person: `${account.knownBy} ${person}` }]];
    const forAddress = { limit: ofAddress, person: address };
    const forAccount = { limit: ofAccount, person };
    const ifClean = { limit: ofCleanAddress, person: address };
    return [
      [ifClean, forAccount, forAddress],
      [forAccount, forAddress],
      [ifClean, { limit: fromCleanAddresses, person }, forAddress],
    ];
  }
}

/** An address is known at this instant if the account has signed in from it since the returned time. */
export function knownSince(at: number): number {
  return at - addressKnownMs;
}

/**
 * A password has its own counts, so that a reset also helps where strangers used up those of the old one. A name longer
 * than any account's is cut, so that it cannot fill the memory.
 */
function accountIn({ role, username }: Claimant, account: AccountRow | null): string {
  const name = `${role} ${username.slice(0, usernameCharactersMax + 1).toLowerCase()}`;
  return account ? `${name} ${Bun.hash(account.passwordHash).toString(36)}` : name;
}

function turnOf({ address }: Claimant, account: AccountRow | null): Turn {
  return isKnown(account) ? { lane: "known", person: String(account.id) } : { lane: "strangers", person: address };
}

function isKnown(account: AccountRow | null): account is AccountRow & { knownBy: string } {
  return typeof account?.knownBy === "string";
}

/** Names the account in the refusal, for the log. An unknown name is left out. */
async function naming<Result>(account: AccountRow | null, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && account) error.account = account.username;
    throw error;
  }
}

/**
 * Returns the first way whose limits all have tries left. `takeAll` counts the try before the password is compared, so
 * parallel guesses cannot pass together. Throws `TOO_MANY_TRIES` if there is no such way.
 */
async function firstWay(ways: Count[][], waitOf: (counts: Count[]) => Promise<Wait>): Promise<Count[]> {
  const waits: number[] = [];
  for (const way of ways) {
    const seconds = await waitOf(way);
    if (seconds === null) return way;
    waits.push(seconds);
  }
  throw new Refusal("TOO_MANY_TRIES", tooManySentence, { retryAfterSeconds: Math.min(...waits) });
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

function isWrong(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "WRONG_CREDENTIALS" || error.code === "WRONG_SECOND_FACTOR");
}
