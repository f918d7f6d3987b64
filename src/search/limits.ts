/*
 * The limits of the search (rules.md: Searching everything). They are separate from the schema, so that pages do not
 * load TypeBox.
 */

export const searchCharactersMin = 2;
export const searchCharactersMax = 100;

/** The most results of each kind. */
export const foundMax = 8;
