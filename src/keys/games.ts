import { oneOf } from "../field.ts";

/** The three games of section 3, each with the prefix that its generated keys carry (section 5). */
export const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"] as const;
export type Game = (typeof games)[number];

export const keyPrefixes: Record<Game, string> = {
  "PUBG MOBILE": "PBGM",
  "LAST ISLAND OF SURVIVAL": "LIOS",
  "FREE FIRE": "FIRE",
};

export const Game = oneOf(games, {
  examples: ["PUBG MOBILE"],
  says: { required: "Game selection is required", wrong: `Game must be one of ${games.join(", ")}` },
});

/** The game that a client names, or `null`. `LAST ISLAND` is what the API docs call the second one (section 3). */
export function gameNamed(name: string): Game | null {
  const known = name === "LAST ISLAND" ? "LAST ISLAND OF SURVIVAL" : name;
  return (games as readonly string[]).includes(known) ? (known as Game) : null;
}
