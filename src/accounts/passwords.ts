import { Refusal } from "../refusal.ts";

/** argon2id with OWASP's smaller profile: 19 MiB and two passes, so that a burst of logins cannot fill the memory. */
const argon2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Hashes at work at once. More would take the cores from verification, which must stay fast while people sign in. */
const hashesAtOnceMax = 2;

/** Sign-ins that may wait for a turn (about a second of work). The next one is told to come back. */
const hashesWaitingMax = 40;

const busySentence = "Too many people are signing in at this moment. Please try again in a few seconds.";

export interface Passwords {
  /** Throws `BUSY` when too many are waiting. */
  hash(password: string): Promise<string>;
  /** With `null` for a hash it takes the same time, and answers false. Throws `BUSY` when too many are waiting. */
  matches(password: string, hash: string | null): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const takeTurn = createTurns();
  // What a login for an unknown name is compared with, so that its time tells nothing.
  const nobody = Bun.password.hash(crypto.randomUUID(), argon2);

  return {
    hash: (password) => takeTurn(() => Bun.password.hash(password, argon2)),
    matches: (password, hash) =>
      takeTurn(async () => {
        const matched = await Bun.password.verify(password, hash ?? (await nobody));
        return matched && hash !== null;
      }),
  };
}

function createTurns() {
  let working = 0;
  const waiting: (() => void)[] = [];

  return async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (working < hashesAtOnceMax) working += 1;
    else if (waiting.length >= hashesWaitingMax) throw new Refusal("BUSY", busySentence, { retryAfterSeconds: 2 });
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn is handed on, not freed: whoever has waited longest works next.
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };
}
