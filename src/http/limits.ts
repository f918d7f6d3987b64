/*
 * The limits of every list (rules.md: Lists). They are separate from the schemas that check them, so that pages do not
 * load TypeBox.
 */

export const searchCharactersMax = 128;

/** The most rows of one page. */
export const rowsPerPageMax = 200;

/** How many of the newest resellers or keys an overview shows. */
export const recentRowsMax = 5;
