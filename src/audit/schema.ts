import { type Static, Type } from "@sinclair/typebox";
import { Account } from "../accounts/schema.ts";
import { oneOf, orNull, textOrNull } from "../core/field.ts";
import { periodFields } from "../core/period.ts";
import { actions } from "../facts/audit-entry.ts";
import { searchCharactersMax } from "../http/limits.ts";
import { Instant, pagingFields, searchField } from "../http/schema.ts";

/** rules.md: Reading the audit log. How many rows are returned without a `limit`. */
export const rowsDefault = 100;

const plainValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** One row of the audit log. `actor` is the account of that time, even if another one has the name now. */
export const AuditEntry = Type.Object({
  id: Type.Integer({ examples: [4711] }),
  at: Instant,
  action: oneOf(actions, { examples: ["credit_granted"] }),
  actor: orNull(
    Account,
    "Null for an unknown caller, the command line and the server itself; `details.by` tells them apart",
  ),
  target: Type.String({ description: "What was changed", examples: ["reseller night.owl"] }),
  address: textOrNull("203.0.113.7", "The sender's address; an IPv6 address stands for its /64"),
  details: Type.Unsafe<Record<string, string | number | boolean>>(
    Type.Object({}, { additionalProperties: plainValue, description: "Details, depending on the action" }),
  ),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditQuery = Type.Object({
  ...searchField("Part of the actor, target or address, ignoring case"),
  action: Type.Optional(
    oneOf([...actions, "all"], { says: { wrong: "action must be one of the audit log's actions" } }),
  ),
  actor: Type.Optional(
    Type.String({
      maxLength: searchCharactersMax,
      description: "The actor's full username, ignoring case",
      examples: ["night.owl"],
    }),
  ),
  ...periodFields,
  ...pagingFields,
  limit: Type.Optional({
    ...pagingFields.limit,
    description: `Rows per page, 1 to 200. By default ${rowsDefault}, or all rows of a CSV file.`,
  }),
  format: Type.Optional(
    oneOf(["json", "csv"], {
      description: "`csv` returns the same rows as a file",
      says: { wrong: "format must be json or csv" },
    }),
  ),
});
export type AuditQuery = Static<typeof AuditQuery>;
