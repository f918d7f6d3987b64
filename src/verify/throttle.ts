import { msPerHour, msPerMinute } from "../core/clock.ts";
import { hasGeneratedShape } from "../core/key-text.ts";
import { Refusal } from "../core/refusal.ts";
import { type CreateRateLimit, giveBackAll, refuseAfter, takeAll, type Wait } from "../http/rate-limit.ts";
import { newDevicesPerHourMax, newDevicesPerMinuteMax } from "./device-rules.ts";
import type { Asker } from "./verdict.ts";

/** rules.md: API keys. Failed lookups of an account's programs. */
const failedLookupsOfProgramsMax = 600;

/** rules.md: Guessing keys. Failed lookups per address, and taken custom keys per reseller. */
const failedLookupsMax = 20;
const takenKeysMax = 20;
const windowMs = 10 * msPerMinute;

const failedLookupsSentence = "Too many unknown keys from your address. Please try again later.";
const failedLookupsOfProgramsSentence = "Your programs looked up too many unknown keys. Please try again later.";
const newDevicesSentence = "Too many new devices from your address for this key. Please try again later.";
const takenKeysSentence =
  "Too many of your custom keys were already taken. Please try again later, or leave the custom key empty.";

/** The place that equal calls share in the limits of new devices. */
interface Place {
  calls: number;
  isUsed: boolean;
  wait: Promise<Wait>;
}

export type Throttle = ReturnType<typeof createThrottle>;

/** Slows down guessing of key texts, at verification and at a purchase, and the taking of a key's slots. */
export function createThrottle({ createRateLimit }: { createRateLimit: CreateRateLimit }) {
  const limitGuesses = (triesMax: number, name: string) => createRateLimit({ name, triesMax, windowMs });
  const failedLookups = limitGuesses(failedLookupsMax, "failed_lookups");
  const failedLookupsOfPrograms = limitGuesses(failedLookupsOfProgramsMax, "failed_lookups_of_programs");
  const takenKeys = limitGuesses(takenKeysMax, "taken_keys");
  const newDevices = [
    createRateLimit({ name: "new_devices_in_minute", triesMax: newDevicesPerMinuteMax, windowMs: msPerMinute }),
    createRateLimit({ name: "new_devices_in_hour", triesMax: newDevicesPerHourMax, windowMs: msPerHour }),
  ];

  /** The places in use, by key, address and device. */
  const places = new Map<string, Place>();

  return {
    /**
     * Called with what a lookup found, before anything is written or returned, and never for a device that is connected
     * to the key. Counts a failed lookup. Once the address has failed too often, throws `TOO_MANY_TRIES` for a text
     * that is no key, and for every text that people chose, whether it is a key or not. A program's failed lookups count
     * for its account instead. Returns a promise only for programs, and where processes count together.
     */
    refuseGuess(keyText: string, isFound: boolean, addressOf: () => string, program?: Asker): void | Promise<void> {
      if (program) return refuseGuessOfProgram(program.id, isFound);
      if (isFound && hasGeneratedShape(keyText)) return;
      const address = addressOf();
      const wait = isFound ? failedLookups.waitSeconds(address) : failedLookups.take(address);
      if (wait instanceof Promise) return wait.then((seconds) => refuseAfter(seconds, failedLookupsSentence));
      refuseAfter(wait, failedLookupsSentence);
    },

    /**
     * Connects a device, and counts it if it is new; once for equal calls at the same time. Throws `TOO_MANY_TRIES`
     * past a limit of its key and address.
     */
    async watchNewDevice<Result extends { isNewDevice: boolean }>(
      { keyId, deviceId, address }: { keyId: number; deviceId: string; address: string },
      connect: () => Promise<Result>,
    ): Promise<Result> {
      const person = `${address} ${keyId}`;
      const counts = newDevices.map((limit) => ({ limit, person }));
      const call = `${person} ${deviceId}`;
      const place = places.get(call) ?? { calls: 0, isUsed: false, wait: takeAll(counts) };
      places.set(call, place);
      place.calls += 1;
      try {
        refuseAfter(await place.wait, newDevicesSentence, { isHeldBack: true });
        const result = await connect();
        place.isUsed ||= result.isNewDevice;
        return result;
      } finally {
        place.calls -= 1;
        if (place.calls === 0) {
          places.delete(call);
          if (!place.isUsed && (await place.wait) === null) await giveBackAll(counts);
        }
      }
    },

    /**
     * Carries out a purchase that names its key, or the creation of a staff account. `KEY_TAKEN` and `USERNAME_TAKEN`
     * count against the reseller; past the limit every refusal becomes `TOO_MANY_TRIES`, because each of the others says
     * whether there is such a key or account.
     */
    async watchTaken<Result>(resellerId: number, create: () => Promise<Result>): Promise<Result> {
      const reseller = String(resellerId);
      refuseAfter(await takenKeys.waitSeconds(reseller), takenKeysSentence);
      try {
        return await create();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // Checked again: simultaneous calls that are refused once the limit is reached must not say anything else
        // either.
        const isTaken = (error.code === "KEY_TAKEN" && !error.details.isOwn) || error.code === "USERNAME_TAKEN";
        const check = isTaken ? takenKeys.take : takenKeys.waitSeconds;
        refuseAfter(await check(reseller), takenKeysSentence);
        throw error;
      }
    },
  };

  async function refuseGuessOfProgram(accountId: number, isFound: boolean): Promise<void> {
    if (isFound) return;
    refuseAfter(await failedLookupsOfPrograms.take(String(accountId)), failedLookupsOfProgramsSentence);
  }
}
