import { msPerMinute } from "../clock.ts";
import type { CreateRateLimit, RateLimit } from "../rate-limit.ts";
import { Refusal } from "../refusal.ts";
import type { Passwords, Turn } from "./passwords.ts";
import { type Role, usernameCharactersMax } from "./schema.ts";

/** rules.md: Wrong passwords. */
const windowMs = 15 * msPerMinute;
/** Of one account, from all addresses together that it did not sign in from. */
const perAccountMax = 10;
/** Of one account, from one address that it signed in from. */
const perKnownAddressMax = 30;
/** From one address, whatever the names. */
const perAddressMax = 60;

/** Somebody who gives a password for an account, which need not exist. */
export interface Claimant {
  role: Role;
  username: string;
  address: string;
  /** Whether the account signed in from this address in the last 90 days. */
  isKnownAddress: boolean;
}

export interface WrongPasswords {
  /**
   * Carries out `work` if the password is the one of the hash (`null` where nobody has that name), and counts it if it is not. Throws
   * `WRONG_CREDENTIALS`, `BUSY`, or, once too many were wrong, `TOO_MANY_TRIES`, also for the right one. Names that nobody has are
   * counted, and take as long, like those that somebody has.
   */
  afterRight<Result>(
    claimant: Claimant,
    claim: { password: string; hash: string | null },
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Carries out what throws `WRONG_SECOND_FACTOR` for a wrong code, and counts that like a wrong password. */
  counted<Result>(claimant: Claimant, work: () => Promise<Result>): Promise<Result>;
}

export function createWrongPasswords({
  createRateLimit,
  passwords,
}: {
  createRateLimit: CreateRateLimit;
  passwords: Passwords;
}): WrongPasswords {
  const ofAccount = createRateLimit({ triesMax: perAccountMax, windowMs });
  const ofKnownAddress = createRateLimit({ triesMax: perKnownAddressMax, windowMs });
  const ofAddress = createRateLimit({ triesMax: perAddressMax, windowMs });

  return {
    async afterRight(claimant, { password, hash }, work) {
      const counts = countsFor(claimant);
      // Who may not try does not wait for a turn either.
      for (const { limit, person } of counts) refuseAfter(await limit.waitSeconds(person));
      const begin = () => takeAll(counts);
      const matched = await passwords.matches(password, hash, { ...turnOf(claimant), begin });
      return settled(counts, async () => {
        if (!matched) throw new Refusal("WRONG_CREDENTIALS", "Invalid username or password");
        return work();
      });
    },

    async counted(claimant, work) {
      const counts = countsFor(claimant);
      await takeAll(counts);
      return settled(counts, work);
    },
  };

  /** A stranger counts for the account and for the address; at a known address the account counts by itself. */
  function countsFor({ address, isKnownAddress, ...account }: Claimant): Count[] {
    const person = accountIn(account);
    if (isKnownAddress) return [{ limit: ofKnownAddress, person: `${address} ${person}` }];
    return [
      { limit: ofAddress, person: address },
      { limit: ofAccount, person },
    ];
  }
}

interface Count {
  limit: RateLimit;
  person: string;
}

/** A name longer than any account's is counted by its beginning, so that it cannot fill the memory. */
function accountIn({ role, username }: Pick<Claimant, "role" | "username">): string {
  return `${role} ${username.slice(0, usernameCharactersMax + 1).toLowerCase()}`;
}

function turnOf({ address, isKnownAddress, ...account }: Claimant): Turn {
  return isKnownAddress ? { lane: "known", person: accountIn(account) } : { lane: "strangers", person: address };
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
  return error instanceof Refusal && error.code === "WRONG_CREDENTIALS";
}

function refuseAfter(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds === null) return;
  throw new Refusal("TOO_MANY_TRIES", "Too many wrong passwords. Please try again later.", { retryAfterSeconds });
}
