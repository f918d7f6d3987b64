import { call } from "../call.ts";
import type { AnswerOf, BodyOf } from "../contract.ts";
import { type Download, download } from "../download.ts";

/** What a look at a selection says of it, and the mark that stands for it from then on. */
export type Seen = AnswerOf<"POST /api/reseller/keys/selected">;
/** Which keys are meant: by their ids, or all that fit the filters. */
export type Which = Omit<BodyOf<"POST /api/reseller/keys/selected">, "note">;
type Note = BodyOf<"PUT /api/reseller/keys/selected/note">["note"];
type Format = BodyOf<"POST /api/reseller/keys/selected/download">["format"];

/** What can be done to many keys of a list at once (rules.md: Selections). */
export interface SelectionCalls {
  look: (which: Which & { note?: Note }) => Promise<Seen>;
  revoke: (which: Which, seen: Counted) => Promise<AnswerOf<"POST /api/reseller/keys/selected/revoke">>;
  /** Left out where the notes are somebody else's to write. */
  note?: (which: Which, seen: Counted & { note: Note }) => Promise<unknown>;
  download: (which: Which, format: Format) => Promise<Download>;
  /** Whether a key that has merely expired can be revoked. */
  evenExpired: boolean;
}

/** What somebody was shown, and how many keys it was. */
interface Counted {
  mark: string;
  count: number;
}

const fallbackName = "latchkey-keys";

/** A reseller's own. */
export const ownSelection: SelectionCalls = {
  look: (body) => call("POST /api/reseller/keys/selected", { body }),
  revoke: (which, seen) => call("POST /api/reseller/keys/selected/revoke", { body: { ...which, ...seen } }),
  note: (which, seen) => call("PUT /api/reseller/keys/selected/note", { body: { ...which, ...seen } }),
  download: (which, format) =>
    download("POST /api/reseller/keys/selected/download", { fallbackName, body: { ...which, format } }),
  evenExpired: false,
};

/** The admins'. */
export const adminSelection: SelectionCalls = {
  ...ofAdmin({}),
  note: (which, seen) => call("PUT /api/admin/keys/selected/note", { body: { ...which, ...seen } }),
};

/** A reseller's, as admins see them. */
export function resellerSelection(resellerId: number): SelectionCalls {
  return ofAdmin({ resellerId });
}

function ofAdmin(whose: { resellerId?: number }): SelectionCalls {
  return {
    look: (body) => call("POST /api/admin/keys/selected", { body: { ...body, ...whose } }),
    revoke: (which, seen) => call("POST /api/admin/keys/selected/revoke", { body: { ...which, ...seen, ...whose } }),
    download: (which, format) =>
      download("POST /api/admin/keys/selected/download", { fallbackName, body: { ...which, ...whose, format } }),
    evenExpired: true,
  };
}
