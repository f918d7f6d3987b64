/*
 * The limits of lists and searches. They are separate from the schemas that check them, so that pages do not load
 * TypeBox.
 */

/** rules.md: Lists. */
export const searchCharactersMax = 128;

/** The most rows of one page. */
export const rowsPerPageMax = 200;

/** How many of the newest resellers or keys an overview shows. */
export const recentRowsMax = 5;

/** rules.md: Searching everything. The last is the most results of each kind. */
export const findCharactersMin = 2;
export const findCharactersMax = 100;
export const foundMax = 8;
