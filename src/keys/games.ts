/** The three games (rules.md: Games), and the prefix that the generated keys of each carry. Their schema is in schema.ts. */
export const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"] as const;
export type Game = (typeof games)[number];

export const keyPrefixes: Record<Game, string> = {
  "PUBG MOBILE": "PBGM",
  "LAST ISLAND OF SURVIVAL": "LIOS",
  "FREE FIRE": "FIRE",
};

/** The game that a client names, or `null`. `LAST ISLAND` is what the API docs call the second one. */
export function gameNamed(name: string): Game | null {
  const known = name === "LAST ISLAND" ? "LAST ISLAND OF SURVIVAL" : name;
  return (games as readonly string[]).includes(known) ? (known as Game) : null;
}
