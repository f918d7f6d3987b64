import type { Reading } from "../database/database.ts";
import { hashesOf } from "./key-filter.ts";
import { loweredTextsAfter } from "./key-filter-store.ts";

/** Keys in a piece: where verifications are answered, taking them up takes a fraction of a millisecond. */
const keysPerPiece = 2_000;

/** The texts of all keys, hashed by the factors of a filter. */
export const keyFilterReading: Reading<{ factors: readonly number[] }> = {
  name: "key filter",
  async *pieces(sql, { factors }) {
    const drawn = Int32Array.from(factors);
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows = await loweredTextsAfter(sql, after, keysPerPiece);
      const texts = rows.map(({ text }) => text);
      yield new Uint8Array(hashesOf(drawn, texts).buffer);
      after = rows.at(-1)?.id;
    }
  },
};
