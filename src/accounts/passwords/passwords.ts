import { Refusal } from "../../core/refusal.ts";

/** argon2id with OWASP's smaller profile: 19 MiB and two passes, so that a burst of logins cannot fill the memory. */
const argon2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/**
 * What a login for an unknown name is compared with, so that its time tells nothing: it costs what any other does, and nothing fits it. To
 * hash something for it at each start would take as long as all the rest of a start.
 */
const hashOfNobody = `$argon2id$v=19$m=${argon2.memoryCost},t=${argon2.timeCost},p=1$dR7kLo/YCWJFKZlD5nT0HlfVCEtUxClxL3zTAycZ+ds$uXco8kztTH5cCTFg/PG5jEB9eoocuGVTsLsQR2WIYeQ`;

/** How many may wait in one lane for a turn (about a second of work). The next one is told to come back. */
const waitingMax = 40;

/**
 * Who wants a password hashed. Known people (signed in, or at an address that the account signed in from) and strangers wait in lanes of
 * their own, so that strangers who try passwords keep nobody else waiting; and nobody keeps others out of a lane alone. `person` is the
 * account of somebody known, the address of a stranger.
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

  return {
    hash: (password, { lane, person }) => lanes[lane](person, () => Bun.password.hash(password, argon2)),
    matches: (password, hash, { lane, person, begin }) =>
      lanes[lane](person, async () => {
        await begin?.();
        const matched = await Bun.password.verify(password, hash ?? hashOfNobody);
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
      // The turn is handed on, not freed: whoever has waited longest works next.
      const next = waiting.shift();
      if (next) next.begin();
      else isWorking = false;
    }
  };

  /** Of a full lane whoever has most places gives the last of them up to one who has fewer. Throws `BUSY` where nobody has. */
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
