import type { Chore } from "../db/contract.ts";
import { eraseOldest, moveHorizon } from "./store.ts";

/** Rows erased in one slice. */
const rowsPerSlice = 500;

/** Erases some of the rows of before an instant. */
export const erasureChore: Chore<{ keptSince: number }, void> = {
  name: "erase old rows of the record",
  async work(sql, { keptSince }) {
    await moveHorizon(sql, keptSince);
    await eraseOldest(sql, keptSince, rowsPerSlice);
  },
};
