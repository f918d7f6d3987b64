import { type Static, Type } from "@sinclair/typebox";
import { oneOf, textOrNull } from "../core/field.ts";
import { findCharactersMax, findCharactersMin } from "../http/limits.ts";
import { AdminKey, ResellerKey } from "../keys/schema.ts";
import { AdminOrder, Order } from "../orders/schema.ts";
import { Reseller } from "../resellers/schema.ts";
import { Token } from "../tokens/schema.ts";

export const searchSentence = `q must be ${findCharactersMin} to ${findCharactersMax} characters`;
export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: findCharactersMin,
    maxLength: findCharactersMax,
    examples: ["9vjw5"],
    description: "Part of a key, a device id, a note, a username, a token, or an order's number",
    says: { required: searchSentence, tooSmall: searchSentence, tooLarge: searchSentence },
  }),
});

const howFound = {
  close: Type.Boolean({ description: "A look-alike, not an exact match" }),
  foundBy: oneOf(["text", "note", "externalId", "device", "owner"], { description: "Where the match was found" }),
};
export const FoundAdminKey = Type.Object({
  ...AdminKey.properties,
  ...howFound,
  owner: textOrNull("night.owl"),
});
export const FoundResellerKey = Type.Object({ ...ResellerKey.properties, ...howFound });

/** At most 8 each, best first. */
export const AdminFindings = Type.Object({
  keys: Type.Array(FoundAdminKey),
  resellers: Type.Array(Reseller),
  tokens: Type.Array(Token),
  orders: Type.Array(AdminOrder),
});
export type AdminFindings = Static<typeof AdminFindings>;

export const ResellerFindings = Type.Object({
  keys: Type.Array(FoundResellerKey),
  resellers: Type.Array(Reseller, { maxItems: 0 }),
  tokens: Type.Array(Token, { maxItems: 0 }),
  orders: Type.Array(Order),
});
export type ResellerFindings = Static<typeof ResellerFindings>;
