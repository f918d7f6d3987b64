import { Type } from "@sinclair/typebox";

/** The longest name of a game (rules.md: Catalogue). */
export const gameNameCharactersMax = 40;

/** The name or an alias of a game, as calls send it. Only the catalogue knows whether there is one. */
function gameNamed(says: { required?: string; wrong: string }) {
  return Type.String({
    minLength: 1,
    // Of UTF-16, in which an emoji counts as two.
    maxLength: 2 * gameNameCharactersMax,
    examples: ["PUBG MOBILE"],
    description: "A game's name, or an alias",
    says,
  });
}

export const GameName = gameNamed({ required: "game is required", wrong: "game must be the name of a game" });
export const OrderedGame = gameNamed({
  required: "Game selection is required",
  wrong: "Game must be the name of a game",
});
/** `all` is every game. */
export const GameFilter = Type.Optional(gameNamed({ wrong: "game must be the name of a game" }));
