import type { Role } from "../../../src/accounts/schema.ts";
import { call } from "../call.ts";
import type { AnswerOf, BodyOf } from "../contract.ts";
import { download } from "../download.ts";

/** Whose list the keys are chosen in: a reseller's own, the admins', or that of a reseller as admins see it. */
export interface Whose {
  area: Role;
  resellerId?: number;
}

/** The figures of a selection, and the mark that identifies it from then on. */
export type Seen = AnswerOf<"POST /api/reseller/keys/selected">;
/** The keys meant: by their ids, or all that match the filters. */
export type Which = Omit<BodyOf<"POST /api/reseller/keys/selected">, "note">;
type Note = BodyOf<"PUT /api/reseller/keys/selected/note">["note"];
type Format = BodyOf<"POST /api/reseller/keys/selected/download">["format"];

/** The selection that was shown, and its number of keys. */
interface Counted {
  mark: string;
  count: number;
}

/*
 * The calls for many keys of a list at once (rules.md: Selections).
 */

export const lookAtSelected = ({ area, resellerId }: Whose, which: Which & { note?: Note }) =>
  call(`POST /api/${area}/keys/selected`, { body: { ...which, resellerId } });

export const revokeSelected = ({ area, resellerId }: Whose, which: Which, seen: Counted) =>
  call(`POST /api/${area}/keys/selected/revoke`, { body: { ...which, ...seen, resellerId } });

/** Keys of a reseller cannot be noted by admins. */
export const noteSelected = (area: Role, which: Which, seen: Counted & { note: Note }) =>
  call(`PUT /api/${area}/keys/selected/note`, { body: { ...which, ...seen } });

export const downloadSelected = ({ area, resellerId }: Whose, which: Which, format: Format) =>
  download(`POST /api/${area}/keys/selected/download`, {
    fallbackName: "latchkey-keys",
    body: { ...which, format, resellerId },
  });
