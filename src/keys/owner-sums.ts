import { verdictCodes } from "./schema.ts";
import type { VerdictRow } from "./tally-store.ts";

/** Of an owner: one of each code, and how many connected a new device. */
const sumsPerOwner = verdictCodes.length + 1;
const connectedAt = verdictCodes.length;
const ownersAtFirst = 64;

/**
 * What owners' keys were told on one day. The sums stand in one block of memory: as objects of thousands of owners they lay all over it, and each
 * verdict waited for three of them, one after the other.
 */
export interface OwnerSums {
  add(told: Omit<VerdictRow, "day">): void;
  /** Those that are not 0, one by one. How many connected a new device stands with VALID, by which alone one is connected. */
  rows(day: number): Generator<VerdictRow>;
  /** How many rows there are at the most. */
  countRows(): number;
}

export function createOwnerSums(): OwnerSums {
  const places = new Map<number | null, number>();
  let sums = new Float64Array(ownersAtFirst * sumsPerOwner);

  return {
    add({ owner, code, count, connected }) {
      const place = places.get(owner) ?? newPlace(owner);
      sums[place + code] = (sums[place + code] as number) + count;
      sums[place + connectedAt] = (sums[place + connectedAt] as number) + connected;
    },
    *rows(day) {
      for (const [owner, place] of places) {
        for (let code = 0; code < verdictCodes.length; code += 1) {
          const count = sums[place + code] as number;
          const connected = verdictCodes[code] === "VALID" ? (sums[place + connectedAt] as number) : 0;
          if (count !== 0) yield { day, owner, code, count, connected };
        }
      }
    },
    countRows: () => sums.reduce((rows, sum) => rows + (sum === 0 ? 0 : 1), 0),
  };

  function newPlace(owner: number | null): number {
    const place = places.size * sumsPerOwner;
    places.set(owner, place);
    if (place === sums.length) {
      const more = new Float64Array(2 * sums.length);
      more.set(sums);
      sums = more;
    }
    return place;
  }
}
