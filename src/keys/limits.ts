/* The limits of keys. They are separate from the schemas that check them, so that pages do not load TypeBox. */

/** rules.md: The time of a key. */
export const keyStarts = ["creation", "first_use"] as const;

/** rules.md: Buying keys. */
export const keysPerBatchMax = 100;

/** An import makes an order of any number of keys, of which a page shows the first. */
export const keysPerOrderShown = 1_000;

/** How long an admin key may live (rules.md: Making admin keys). `expiryDate` has a day of grace for time zones. */
export const adminDaysDefault = 30;
export const adminDaysMax = 365;
export const expiryDaysMax = 366;

/** rules.md: The time of a key. The most hours that one call gives a key: a year. */
export const hoursAtOnceMax = 8_760;

/** How many keys one call extends. */
export const extendedKeysMax = 2_000;

/** How long a reseller may pause a key in total. */
export const pauseDaysMax = 30;

/** How often a reseller may replace a key in how many days (rules.md: Replacing keys). */
export const replacementsMax = 3;
export const replacementDays = 30;

/** A custom key (rules.md: Key text). */
export const customKeyCharactersMin = 4;
export const customKeyCharactersMax = 64;

/** The time in which a reseller's overview lists keys before they expire. */
export const expiringSoonDays = 3;

/** How many ids a selection may list (rules.md: Selections). A selection by filters may have any number of keys. */
export const selectedIdsMax = 2_000;
