import { Refusal } from "../refusal.ts";

/** argon2id with OWASP's smaller profile: 19 MiB and two passes, so that a burst of logins cannot fill the memory. */
const argon2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Who may wait in one lane for a turn (about a second of work), and how many of them one person may be. The next one is told to come back. */
const waitingMax = 40;
const waitingPerPersonMax = 10;

const busySentence = "Too many people are signing in at this moment. Please try again in a few seconds.";

/**
 * Who wants a password hashed. Known people (signed in, or at an address that the account signed in from) and strangers wait in lanes of
 * their own, so that strangers who try passwords keep nobody else waiting; and nobody fills a lane alone. `person` is the account of
 * somebody known, the address of a stranger.
 */
export interface Turn {
  lane: "known" | "strangers";
  person: string;
  /** Is called when the turn has come. What it throws is thrown, and nothing is hashed. */
  begin?: () => Promise<void>;
}

export interface Passwords {
  /** Throws `BUSY` when too many are waiting. */
  hash(password: string, turn: Turn): Promise<string>;
  /** With `null` for a hash it takes the same time, and answers false. Throws `BUSY` when too many are waiting. */
  matches(password: string, hash: string | null, turn: Turn): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const lanes = { known: createLane(), strangers: createLane() };
  // What a login for an unknown name is compared with, so that its time tells nothing.
  const nobody = Bun.password.hash(crypto.randomUUID(), argon2);

  return {
    hash: (password, { lane, person }) => lanes[lane](person, () => Bun.password.hash(password, argon2)),
    matches: (password, hash, { lane, person, begin }) =>
      lanes[lane](person, async () => {
        await begin?.();
        const matched = await Bun.password.verify(password, hash ?? (await nobody));
        return matched && hash !== null;
      }),
  };
}

/** One hash at a time, so that both lanes together leave a core to verification, which must stay fast while people sign in. */
function createLane() {
  let isWorking = false;
  const waiting: { person: string; begin: () => void }[] = [];

  return async function inTurn<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
    if (isWorking) await new Promise<void>((begin) => queue(person, begin));
    isWorking = true;
    try {
      return await work();
    } finally {
      // The turn is handed on, not freed: whoever has waited longest works next.
      const next = waiting.shift();
      if (next) next.begin();
      else isWorking = false;
    }
  };

  function queue(person: string, begin: () => void): void {
    const own = waiting.filter((other) => other.person === person).length;
    if (waiting.length >= waitingMax || own >= waitingPerPersonMax) {
      throw new Refusal("BUSY", busySentence, { retryAfterSeconds: 2 });
    }
    waiting.push({ person, begin });
  }
}
