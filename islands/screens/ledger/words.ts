import type { LedgerReason } from "../../../src/resellers/ledger-schema.ts";

export const reasonNames: Record<LedgerReason, string> = {
  key_purchase: "Keys generated",
  admin_grant: "Credits added",
  token_bonus: "Bonus of the token",
};
