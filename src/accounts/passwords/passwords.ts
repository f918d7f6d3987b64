import { Refusal } from "../../core/refusal.ts";

/** argon2id with OWASP's smaller profile: 19 MiB and two passes, so that a burst of logins cannot fill the memory. */
const argon2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * Passwords for unknown names are compared with this hash, which no password matches, so that the time of a login does not show whether the
 * name exists. It is a constant because hashing something at each start would double the start-up time.
 */
const unmatchedHash = `$argon2id$v=19$m=${argon2.memoryCost},t=${argon2.timeCost},p=1$dR7kLo/YCWJFKZlD5nT0HlfVCEtUxClxL3zTAycZ+ds$uXco8kztTH5cCTFg/PG5jEB9eoocuGVTsLsQR2WIYeQ`;

/** Passwords that may wait in one lane, about a second of work. Further ones are refused. */
const waitingMax = 40;

/**
 * Known people (signed in, or at an address that the account has signed in from) and strangers wait in separate lanes, so that strangers who
 * try passwords do not delay anyone else. No person can fill a lane alone. `person` is the account of a known person, the address of a
 * stranger.
 */
export interface Turn {
  lane: "known" | "strangers";
  person: string;
  /** Called when the turn has come. If it throws, nothing is hashed. */
  begin?: () => Promise<void>;
}

export type Passwords = ReturnType<typeof createPasswords>;

export function createPasswords() {
  const lanes = { known: createLane(), strangers: createLane() };

  return {
    /** Throws `BUSY` when too many are waiting. */
    hash: (password: string, { lane, person }: Turn) => lanes[lane](person, () => Bun.password.hash(password, argon2)),
    /** If `hash` is null it takes the same time and returns false. Throws `BUSY` when too many are waiting. */
    matches: (password: string, hash: string | null, { lane, person, begin }: Turn) =>
      lanes[lane](person, async () => {
        await begin?.();
        const matched = await Bun.password.verify(password, hash ?? unmatchedHash);
        return matched && hash !== null;
      }),
  };
}

interface Waiting {
  person: string;
  begin: () => void;
  refuse: (busy: Refusal) => void;
}

/** One hash at a time, so that both lanes together leave a core to verification, which must stay fast while people sign in. */
function createLane() {
  let isWorking = false;
  const waiting: Waiting[] = [];

  return async function inTurn<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
    if (isWorking) {
      if (waiting.length >= waitingMax) makeRoomFor(person);
      await new Promise<void>((begin, refuse) => waiting.push({ person, begin, refuse }));
    }
    isWorking = true;
    try {
      return await work();
    } finally {
      // The turn passes to the one who has waited longest.
      const next = waiting.shift();
      if (next) next.begin();
      else isWorking = false;
    }
  };

  /** In a full lane, the person with the most places gives up the last one to a person with fewer. Throws `BUSY` if there is no such person. */
  function makeRoomFor(person: string): void {
    const places = new Map<string, number>();
    for (const { person } of waiting) places.set(person, (places.get(person) ?? 0) + 1);
    const [crowd, most] = [...places].reduce((fullest, other) => (other[1] > fullest[1] ? other : fullest));
    if ((places.get(person) ?? 0) + 1 >= most) throw busy();
    const [last] = waiting.splice(
      waiting.findLastIndex((other) => other.person === crowd),
      1,
    );
    last?.refuse(busy());
  }
}

function busy(): Refusal {
  const sentence = "Too many people are signing in at this moment. Please try again in a few seconds.";
  return new Refusal("BUSY", sentence, { retryAfterSeconds: 2 });
}
