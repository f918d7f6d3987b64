/**
 * The three games of section 3, each with the prefix that its generated keys carry (section 5). Their schema stands in schema.ts: a
 * list that filters by game must not load TypeBox for it.
 */
export const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"] as const;
export type Game = (typeof games)[number];

export const keyPrefixes: Record<Game, string> = {
  "PUBG MOBILE": "PBGM",
  "LAST ISLAND OF SURVIVAL": "LIOS",
  "FREE FIRE": "FIRE",
};

/** The game that a client names, or `null`. `LAST ISLAND` is what the API docs call the second one (section 3). */
export function gameNamed(name: string): Game | null {
  const known = name === "LAST ISLAND" ? "LAST ISLAND OF SURVIVAL" : name;
  return (games as readonly string[]).includes(known) ? (known as Game) : null;
}
