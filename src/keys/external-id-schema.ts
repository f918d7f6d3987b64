import { Type } from "@sinclair/typebox";
import { invisible, textOrNull } from "../core/field.ts";

/* Apart from the schemas of keys, some of which pages load. */

/** In characters. */
const externalIdCharactersMax = 100;

const externalIdSentence = `externalId must be 1 to ${externalIdCharactersMax} visible characters`;
const exampleExternalId = "INV-2025-0042";

export const ExternalId = Type.Optional(
  Type.RegExp(new RegExp(`^[^\\p{Z}${invisible}]{1,${externalIdCharactersMax}}$`, "u"), {
    pattern: `^\\S{1,${externalIdCharactersMax}}$`,
    examples: [exampleExternalId],
    description:
      "Your own id of the order or extension. It is unique for your account forever: the same call again returns the first response and buys nothing.",
    says: { required: externalIdSentence, wrong: externalIdSentence },
  }),
);

export const ExternalIdOrNull = textOrNull(exampleExternalId, "The id that its maker sent; null if there is none");
