/* The figures of the search over everything (rules.md: Searching everything). They stand apart from the schema, as those of keys do. */

export const searchCharactersMin = 2;
export const searchCharactersMax = 64;

/** How many of each kind are found. */
export const foundMax = 8;
