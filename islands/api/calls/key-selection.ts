import type { Role } from "../../../src/accounts/schema.ts";
import { call } from "../api.ts";
import type { BodyOf, ResponseOf } from "../contract.ts";
import { download } from "../download.ts";

/** The list that keys are selected in: a reseller's own, the admins', or that of a reseller as admins see it. */
export interface KeyScope {
  area: Role;
  resellerId?: number;
}

/** The counts of a selection, and the mark that identifies it from then on. */
export type SelectionCounts = ResponseOf<"POST /api/reseller/keys/selected">;
/** Selects keys by their ids, or all that match the filters. */
export type KeySelector = Omit<BodyOf<"POST /api/reseller/keys/selected">, "note" | "days" | "durationId">;
/** How much time an extension gives, and what it costs: admins have hours, resellers a duration. */
interface Time {
  hours: number;
  durationId: number;
  cost: number;
}
type Note = BodyOf<"PUT /api/reseller/keys/selected/note">["note"];
type Format = BodyOf<"POST /api/reseller/keys/selected/download">["format"];

/** The selection that was shown, and its number of keys. */
interface Counted {
  mark: string;
  count: number;
}

/** With a note or an amount of time, also counts the keys that it would change. */
export const countSelected = (
  { area, resellerId }: KeyScope,
  selector: KeySelector & { note?: Note } & Partial<Time>,
) => call(`POST /api/${area}/keys/selected`, { body: { ...selector, resellerId } });

export const revokeSelected = ({ area, resellerId }: KeyScope, selector: KeySelector, counts: Counted) =>
  call(`POST /api/${area}/keys/selected/revoke`, { body: { ...selector, ...counts, resellerId } });

export async function extendSelected(
  { area, resellerId }: KeyScope,
  selector: KeySelector,
  { hours = 0, durationId, ...counts }: Counted & Partial<Time>,
  headers: Record<string, string>,
): Promise<{ extendedCount: number }> {
  const body = { ...selector, ...counts };
  return area === "admin"
    ? call("POST /api/admin/keys/selected/extend", { body: { ...body, hours, resellerId }, headers })
    : call("POST /api/reseller/keys/selected/extend", { body: { ...body, durationId }, headers });
}

/** Keys of a reseller cannot be noted by admins. */
export const noteSelected = (area: Role, selector: KeySelector, counts: Counted & { note: Note }) =>
  call(`PUT /api/${area}/keys/selected/note`, { body: { ...selector, ...counts } });

export const downloadSelected = ({ area, resellerId }: KeyScope, selector: KeySelector, format: Format) =>
  download(`POST /api/${area}/keys/selected/download`, {
    fallbackName: "latchkey-keys",
    body: { ...selector, format, resellerId },
  });
