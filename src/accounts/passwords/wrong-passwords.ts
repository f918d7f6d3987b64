import { msPerDay, msPerMinute, type Now } from "../../core/clock.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import {
  type Count,
  type CreateRateLimit,
  firstWait,
  giveBackAll,
  refuseAfter,
  takeAll,
} from "../../http/rate-limit.ts";
import { type AccountRow, accountNamed } from "../account-store.ts";
import { type Role, usernameCharactersMax } from "../schema.ts";
import type { Passwords, Turn } from "./passwords.ts";

/** rules.md: Wrong passwords. */
const windowMs = 15 * msPerMinute;
/** For one account, from all addresses together that it has not signed in from. */
const perAccountMax = 10;
/** For one account, from one address that it has signed in from. */
const perKnownAddressMax = 30;
/** From one address, for all names together. */
const perAddressMax = 60;

/** rules.md: Wrong passwords. How long an address is known after the account's last sign-in from it. */
const addressKnownMs = 90 * msPerDay;

const tooManySentence = "Too many wrong passwords. Please try again later.";
const wrongSentence = "Invalid username or password";
/** For an account that is signed in and must enter its password again. */
export const ownPasswordWrong = "Your current password is wrong.";

/** Someone who gives a password or a code for an account, which need not exist. */
interface Claimant {
  role: Role;
  username: string;
  address: string;
}

export type WrongPasswords = ReturnType<typeof createWrongPasswords>;

type Dependencies = { database: Database; passwords: Passwords; createRateLimit: CreateRateLimit; now: Now };

export function createWrongPasswords({ database, passwords, createRateLimit, now }: Dependencies) {
  const ofAccount = createRateLimit({ name: "wrong_passwords_of_account", triesMax: perAccountMax, windowMs });
  const ofKnownAddress = createRateLimit({
    name: "wrong_passwords_at_known_address",
    triesMax: perKnownAddressMax,
    windowMs,
  });
  const ofAddress = createRateLimit({ name: "wrong_passwords_of_address", triesMax: perAddressMax, windowMs });

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
      work: (account: AccountRow) => Promise<Result>,
      sentence = wrongSentence,
    ): Promise<Result> {
      const account = await find(claimant);
      const counts = countsFor(claimant, account);
      return naming(account, async () => {
        // A try that is refused anyway does not wait for a turn.
        refuseAfter(await firstWait(counts), tooManySentence);
        const turn = { ...turnOf(claimant, account), begin: () => count(counts) };
        const isRight = await passwords
          .matches(password, account?.passwordHash ?? null, turn)
          .catch((error) => countBusy(error, claimant, account));
        return settled(counts, async () => {
          if (!isRight || !account) throw new Refusal("WRONG_CREDENTIALS", sentence);
          return work(account);
        });
      });
    },

    /** Runs `work`, which throws `WRONG_SECOND_FACTOR` for a wrong code, and counts that like a wrong password. */
    async counted<Result>(claimant: Claimant, work: () => Promise<Result>): Promise<Result> {
      const account = await find(claimant);
      const counts = countsFor(claimant, account);
      return naming(account, async () => {
        await count(counts);
        return settled(counts, work);
      });
    },
  };

  function find({ role, username, address }: Claimant): Promise<AccountRow | null> {
    return accountNamed(database.read, { role, username, address, knownSince: knownSince(now()) });
  }

  /** A stranger's try for which the queue is full counts for the address: it may have pushed another out. */
  async function countBusy(error: unknown, { address }: Claimant, account: AccountRow | null): Promise<never> {
    const isBusy = error instanceof Refusal && error.code === "BUSY";
    if (isBusy && !isKnown(account)) await ofAddress.take(address);
    throw error;
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

/** An address is known at this instant if the account has signed in from it since the returned time. */
export function knownSince(at: number): number {
  return at - addressKnownMs;
}

/** A name longer than any account's is cut, so that it cannot fill the memory. */
function accountIn({ role, username }: Claimant): string {
  return `${role} ${username.slice(0, usernameCharactersMax + 1).toLowerCase()}`;
}

function turnOf({ address }: Claimant, account: AccountRow | null): Turn {
  return isKnown(account) ? { lane: "known", person: String(account.id) } : { lane: "strangers", person: address };
}

function isKnown(account: AccountRow | null): account is AccountRow {
  return account?.knownAddress === 1;
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

/** Counts the try before the password is compared, so that parallel guesses cannot pass together. */
async function count(counts: Count[]): Promise<void> {
  refuseAfter(await takeAll(counts), tooManySentence);
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
