import { type Static, Type } from "@sinclair/typebox";
import { Credits } from "../core/credits.ts";
import { NoteOrNull, numberOrNull, oneOf, orNull, textOrNull } from "../core/field.ts";
import { periodFields } from "../core/period.ts";
import { Instant, pagingFields } from "../http/schema.ts";

export const ledgerReasons = [
  "token_bonus",
  "admin_grant",
  "key_purchase",
  "grant_taken_back",
  "key_extension",
  "device_limit_change",
  "key_refund",
] as const;
export type LedgerReason = (typeof ledgerReasons)[number];

/** One change of a balance (rules.md: The ledger). */
export const LedgerEntry = Type.Object({
  id: Type.Integer({ examples: [31] }),
  at: Instant,
  reason: oneOf(ledgerReasons, { examples: ["key_purchase"] }),
  amount: Type.Number({ description: "Credits added, or if negative, removed", examples: [-30] }),
  balance: { ...Credits, description: "The balance after the entry" },
  orderId: numberOrNull(
    12,
    "The order that was paid for, or the key's order; null for other entries, and for entries from before there were orders",
  ),
  keyId: numberOrNull(7, "The key that was extended, got a higher device limit or was revoked, otherwise null"),
  by: Type.String({ description: "The username of the person who did it", examples: ["night.owl"] }),
  note: NoteOrNull,
  grantId: numberOrNull(24, "The entry of the grant that was taken back, otherwise null"),
  externalId: textOrNull("INV-2025-0043", "The id that a program gave the extension that was paid for, otherwise null"),
  left: orNull(Credits, "The part of a grant that was not taken back, otherwise null"),
});
export type LedgerEntry = Static<typeof LedgerEntry>;

export const LedgerQuery = Type.Object({
  reason: Type.Optional(
    oneOf([...ledgerReasons, "all"], { says: { wrong: `reason must be one of ${ledgerReasons.join(", ")}` } }),
  ),
  ...periodFields,
  ...pagingFields,
  format: Type.Optional(
    oneOf(["json", "csv"], {
      description: "`csv` returns the same rows as a file",
      says: { wrong: "format must be json or csv" },
    }),
  ),
});
export type LedgerQuery = Static<typeof LedgerQuery>;
