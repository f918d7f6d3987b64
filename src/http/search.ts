/** How long the text may be that a list is searched for. Stands apart from schema.ts, whose library the search box need not load. */
export const searchCharactersMax = 128;
