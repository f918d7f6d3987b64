import { type Static, Type } from "@sinclair/typebox";
import { keyCharacters, nonBlank } from "../core/field.ts";
import { sentCharactersMax, withoutInvisible } from "../core/key-text.ts";
import { Refusal } from "../core/refusal.ts";
import { customKeyCharactersMax, customKeyCharactersMin } from "./limits.ts";

/* Texts of keys that people choose. They are separate from the other schemas, so that pages stay small. */

const customKeySentence = `Custom key must be ${customKeyCharactersMin} to ${customKeyCharactersMax} letters, digits, hyphens or underscores`;

const letter = `[${keyCharacters}]`;
const ignored = "\\p{Default_Ignorable_Code_Point}";
const letters = `${letter}(?:${ignored}*${letter}){${customKeyCharactersMin - 1},${customKeyCharactersMax - 1}}`;

/** `""` means no custom key. Invisible characters do not count. */
export const CustomKey = Type.Optional(
  Type.RegExp(new RegExp(`^[\\s${ignored}]*(?:${letters}[\\s${ignored}]*)?$`, "u"), {
    maxLength: sentCharactersMax,
    // What the document of the API says, in which the whole pattern cannot stand.
    pattern: `^\\s*(${letter}{${customKeyCharactersMin},${customKeyCharactersMax}}\\s*)?$`,
    examples: ["SUMMER-2025"],
    description: "Used for the first key of the batch; the others are generated.",
    says: { wrong: customKeySentence },
  }),
);

/** The new text of a key; without one it is made. */
export const ReplacementForm = Type.Object({
  keyString: { ...CustomKey, description: "The new text; without it, one is made with the game's prefix" },
});
export type ReplacementForm = Static<typeof ReplacementForm>;

/** The custom key as it is kept, if there is one. */
export function customKeyOf({ keyString }: { keyString?: string }): string | undefined {
  return nonBlank(keyString && withoutInvisible(keyString));
}

/** `isOwn`: by the key itself that is to get this text. */
export function keyTaken(keyString: string, { isOwn = false } = {}): Refusal {
  return new Refusal("KEY_TAKEN", `The key ${keyString} is already taken.`, { isOwn });
}
