import { type Static, Type } from "@sinclair/typebox";
import { type Game, type GameChange, NewGame, Release } from "./schema.ts";

/**
 * The admin's form, in which the aliases are a text with one in each line, and the fields of `release` are beside the
 * others. The fields for games that are sold already are missing where one is added.
 */
export const GameForm = Type.Object({
  ...Type.Omit(NewGame, ["aliases", "isRetired", "release", "leaseHours"]).properties,
  aliases: Type.Optional(Type.String()),
  ...Type.Partial(Type.Omit(Release, ["idleDays"])).properties,
  leaseHours: NewGame.properties.leaseHours,
  idleDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, says: { wrong: "Enter a whole number from 1 to 365, or nothing" } }),
  ),
});
export type GameForm = Static<typeof GameForm>;

export const MaintenanceForm = Type.Pick(GameForm, ["maintenance"]);

export function formOf({ aliases, release, ...game }: Game) {
  const { idleDays, ...rules } = release;
  return { ...game, ...rules, aliases: aliases.join("\n"), idleDays: idleDays ?? undefined };
}

/** What is sent for a form. `release` is sent only where the form has its fields. */
export function gameIn(form: GameForm): GameChange & { name: string } {
  const { aliases, isAllowed, cooldownHours, perThirtyDays, idleDays, ...game } = form;
  const release = { isAllowed, cooldownHours, perThirtyDays, idleDays: idleDays ?? null };
  return { ...game, aliases: aliasesIn(aliases), ...(cooldownHours !== undefined && { release }) };
}

function aliasesIn(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
