import { msPerMinute } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { CreateRateLimit } from "../http/rate-limit.ts";

/** rules.md: Guessing keys, Taken key texts. Failed look-ups per address, and custom keys that were taken per reseller. */
const failedLookupsMax = 20;
const takenKeysMax = 20;
const windowMs = 10 * msPerMinute;

/** rules.md: Guessing keys. Nobody guesses a key of so many characters, so it is answered for however many look-ups failed before it. */
const unguessableCharactersMin = 12;

const failedLookupsSentence = "Too many unknown keys from your address. Please try again later.";
const takenKeysSentence = "Too many custom keys that were taken. Please try again later, or let the key be generated.";

/** What stands in the way of whoever tries out key texts, at verification and at the purchase. */
export interface Guesses {
  /**
   * Is asked with what a look-up found, before anything is told or written, and never for a key that this device is connected to. Counts
   * a look-up that failed. Throws `TOO_MANY_TRIES` once the address has failed too often: for every short text, whether it is a key
   * or not, and for a long one that is none. Answers in this turn wherever limits are this process's own.
   */
  refuseGuess(lookup: { addressOf: () => string; keyText: string; isFound: boolean }): void | Promise<void>;
  /**
   * Carries out a purchase that names its key. `KEY_TAKEN` counts against the reseller; past the limit nothing of the refusal is told but
   * `TOO_MANY_TRIES`, because each of them says whether the key exists.
   */
  watchCustomKey<Result>(resellerId: number, buy: () => Promise<Result>): Promise<Result>;
}

export function createGuesses({ createRateLimit }: { createRateLimit: CreateRateLimit }): Guesses {
  const failedLookups = createRateLimit({ name: "failed_lookups", triesMax: failedLookupsMax, windowMs });
  const takenKeys = createRateLimit({ name: "taken_keys", triesMax: takenKeysMax, windowMs });

  return {
    refuseGuess({ addressOf, keyText, isFound }) {
      if (isFound && keyText.length >= unguessableCharactersMin) return;
      const ask = isFound ? failedLookups.waitSeconds : failedLookups.take;
      const wait = ask(addressOf());
      if (wait instanceof Promise) return wait.then((seconds) => refuseAfter(seconds, failedLookupsSentence));
      refuseAfter(wait, failedLookupsSentence);
    },

    async watchCustomKey(resellerId, buy) {
      const reseller = String(resellerId);
      refuseAfter(await takenKeys.waitSeconds(reseller), takenKeysSentence);
      try {
        return await buy();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // Asked again: of purchases that come at once, those that are refused once the limit is reached must tell nothing either.
        const ask = error.code === "KEY_TAKEN" ? takenKeys.take : takenKeys.waitSeconds;
        refuseAfter(await ask(reseller), takenKeysSentence);
        throw error;
      }
    },
  };
}

function refuseAfter(retryAfterSeconds: number | null, sentence: string): void {
  if (retryAfterSeconds !== null) throw new Refusal("TOO_MANY_TRIES", sentence, { retryAfterSeconds });
}
