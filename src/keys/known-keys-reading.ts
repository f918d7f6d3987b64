import type { Reading } from "../db/contract.ts";
import { hashesOf } from "./key-hashes.ts";
import { loweredTextsAfter } from "./known-keys-store.ts";

/** Keys in a piece: where verifications are answered, taking them up takes a fraction of a millisecond. */
const keysPerPiece = 2_000;

/** All keys with the hashes of their texts, by the factors of whom it is for. */
export const knownKeysReading: Reading<{ factors: readonly number[] }> = {
  name: "known keys",
  async *pieces(sql, { factors }) {
    const drawn = Int32Array.from(factors);
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows = await loweredTextsAfter(sql, after, keysPerPiece);
      yield new Uint8Array(hashesOf(drawn, rows).buffer);
      after = rows.at(-1)?.id;
    }
  },
};
