import { shareUsed, waitMsMax } from "../../core/fair-semaphore.ts";
import type { RandomBytes } from "../../core/random.ts";
import { Refusal } from "../../core/refusal.ts";

/** argon2id with OWASP's smaller profile: 19 MiB and two passes, so that a burst of logins cannot fill the memory. */
const owaspCost = { memoryCost: 19_456, timeCost: 2 };

/**
 * Passwords for unknown names are compared with this hash, which no password matches, so that the time of a login does
 * not show whether the name exists. It is a constant because hashing something at each start would double the start-up
 * time.
 */
const unmatchedHash = ({ memoryCost, timeCost }: typeof owaspCost) =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$dR7kLo/YCWJFKZlD5nT0HlfVCEtUxClxL3zTAycZ+ds$uXco8kztTH5cCTFg/PG5jEB9eoocuGVTsLsQR2WIYeQ`;

/** Passwords that may wait in one lane, about a second of work. For each further one, one is refused. */
const waitingMax = 40;

/**
 * Known people (signed in, or at an address that the account has signed in from) and strangers wait in separate lanes,
 * so that strangers who try passwords do not delay anyone else. No person can fill a lane alone. `person` is the
 * account of a known person, the address of a stranger.
 */
export interface Turn {
  lane: "known" | "strangers";
  person: string;
  /** Called when the turn has come. If it throws, nothing is hashed. */
  begin?: () => Promise<void>;
}

export type Passwords = ReturnType<typeof createPasswords>;

export function createPasswords(randomBytes: RandomBytes, cost = owaspCost) {
  const unmatched = unmatchedHash(cost);
  const lanes = {
    known: createLane(randomBytes, { hasRests: true }),
    // Strangers' tries are limited. The right passwords of known people are not.
    strangers: createLane(randomBytes, { hasRests: false }),
  };

  return {
    /** Throws `BUSY` if too many are waiting. After 15 s: `TOO_MANY_TRIES` if the person is resting, otherwise `BUSY`. */
    hash: (password: string, { lane, person }: Turn) =>
      lanes[lane](person, () => Bun.password.hash(normal(password), { algorithm: "argon2id", ...cost })),
    /** If `hash` is null it takes the same time and returns "no". Throws `BUSY` if too many are waiting. */
    matches: (password: string, hash: string | null, { lane, person, begin }: Turn) =>
      lanes[lane](person, async (): Promise<Match> => {
        await begin?.();
        const isOf = async (text: string) => (await Bun.password.verify(text, hash ?? unmatched)) && hash !== null;
        if (await isOf(normal(password))) return "yes";
        return password !== normal(password) && (await isOf(password)) ? "as sent" : "no";
      }),
  };
}

/** `as sent`: earlier versions hashed passwords as they were sent, and the normal form is another. */
export type Match = "no" | "yes" | "as sent";

/** Systems send accented letters as one character or as two (rules.md: Passwords). */
function normal(password: string): string {
  return password.normalize("NFC");
}

interface Waiting {
  person: string;
  begin: () => void;
  refuse: (refusal: Refusal) => void;
  timer: ReturnType<typeof setTimeout>;
}

/** rules.md: Shares. After a turn, an account waits three times as long before its next one. */
const restTimes = 3;

/**
 * One hash at a time, so that both lanes together leave a core to verification, which must stay fast while people sign
 * in. With `hasRests`, one person has at most a quarter of the lane's time.
 */
function createLane(randomBytes: RandomBytes, { hasRests }: { hasRests: boolean }) {
  let isWorking = false;
  const waiting: Waiting[] = [];
  const resting = new Set<string>();

  return async function inTurn<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
    if (waiting.length >= waitingMax) makeRoomFor(person);
    await new Promise<void>((begin, refuse) => {
      const entry: Waiting = { person, begin, refuse, timer: setTimeout(() => giveUp(entry), waitMsMax) };
      waiting.push(entry);
      startNext();
    });
    const begunMs = performance.now();
    try {
      return await work();
    } finally {
      isWorking = false;
      if (hasRests) rest(person, restTimes * (performance.now() - begunMs));
      startNext();
    }
  };

  /** The turn passes to the one who has waited longest. */
  function startNext(): void {
    if (isWorking) return;
    const next = waiting.find(({ person }) => !resting.has(person));
    if (!next) return;
    leave(next);
    isWorking = true;
    next.begin();
  }

  function rest(person: string, ms: number): void {
    resting.add(person);
    setTimeout(() => {
      resting.delete(person);
      startNext();
    }, ms);
  }

  /**
   * In a full lane, a person with the most places gives up one, drawn at random. If everyone has one, the newcomer
   * stays: otherwise strangers from many addresses would keep everyone else out.
   */
  function makeRoomFor(person: string): void {
    const places = new Map([[person, 1]]);
    for (const { person } of waiting) places.set(person, (places.get(person) ?? 0) + 1);
    const most = Math.max(...places.values());
    const crowd = waiting.filter(({ person }) => places.get(person) === most);
    const [byte = 0] = randomBytes(new Uint8Array(1));
    const dropped = crowd[byte % crowd.length] as Waiting;
    leave(dropped);
    dropped.refuse(busy());
  }

  function giveUp(entry: Waiting): void {
    leave(entry);
    entry.refuse(resting.has(entry.person) ? shareUsed() : busy());
  }

  function leave(entry: Waiting): void {
    clearTimeout(entry.timer);
    waiting.splice(waiting.indexOf(entry), 1);
  }
}

function busy(): Refusal {
  const sentence = "Too many people are signing in right now. Please try again in a few seconds.";
  return new Refusal("BUSY", sentence, { retryAfterSeconds: 2 });
}
