/* The limits of every list (rules.md: Lists). They are separate from the schemas that check them, so that pages do not load TypeBox. */

export const searchCharactersMax = 128;

/** The most rows of one page. */
export const rowsPerPageMax = 200;

/** How many of the newest an overview shows, an admin's and a reseller's (rules.md: Overview pages). */
export const recentRowsMax = 5;
