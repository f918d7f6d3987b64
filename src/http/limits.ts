/* The figures of every list (rules.md: Lists). They stand apart from the schemas that check them, as those of keys do. */

/** How long the text may be that a list is searched for. */
export const searchCharactersMax = 128;

/** How many rows one call answers that asks for a page. */
export const rowsPerPageMax = 200;
