import { type Static, Type } from "@sinclair/typebox";
import { NewGame } from "./schema.ts";

/** The admin's form, in which the aliases are a text with one in each line. */
export const GameForm = Type.Object({
  ...Type.Omit(NewGame, ["aliases", "isRetired"]).properties,
  aliases: Type.Optional(Type.String()),
});
export type GameForm = Static<typeof GameForm>;

export function aliasesIn(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
