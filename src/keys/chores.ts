import { notSignedIn } from "../accounts/caller.ts";
import { isOpen } from "../accounts/session-store.ts";
import type { Chore } from "../database/database.ts";
import { resetDevices } from "./device-store.ts";

export interface ResetSlice {
  /** The ids between which the slice lies. */
  first: number;
  last: number;
  madeBy: number;
  sessionId: number;
  at: number;
}

/** One slice of a reset, and how many keys of it had devices. Once the session has ended, no further one is done. */
export const resetChore: Chore<ResetSlice, number> = {
  name: "reset devices",
  async work(sql, { sessionId, ...slice }) {
    if (!(await isOpen(sql, sessionId))) throw notSignedIn();
    return resetDevices(sql, slice);
  },
};
