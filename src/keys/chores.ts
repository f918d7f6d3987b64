import { notSignedIn } from "../accounts/caller.ts";
import { isOpen } from "../accounts/session-store.ts";
import type { Chore } from "../db/contract.ts";
import { resetDevices } from "./devices/device-store.ts";
import { type KeyNote, type KeyRevocation, noteKeys, revokeKeys } from "./store.ts";

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

/** Some keys of a selection, and whose session it is that acts on them. */
export interface SelectionSlice {
  ids: readonly number[];
  sessionId: number;
}

/** Each key is revoked as it would be alone. Answers how many were. */
export const revocationChore: Chore<SelectionSlice & KeyRevocation, number> = {
  name: "revoke selected keys",
  async work(sql, { ids, sessionId, ...revocation }) {
    if (!(await isOpen(sql, sessionId))) throw notSignedIn();
    return revokeKeys(sql, ids, revocation);
  },
};

/** Each key is noted as it would be alone. Answers how many changed. */
export const noteChore: Chore<SelectionSlice & KeyNote, number> = {
  name: "note selected keys",
  async work(sql, { ids, sessionId, ...note }) {
    if (!(await isOpen(sql, sessionId))) throw notSignedIn();
    return noteKeys(sql, ids, note);
  },
};
