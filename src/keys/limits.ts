/*
 * What a key may be, in figures. They stand apart from the schemas that check them: a page that shows one of them need not load the
 * schema library for it.
 */

/** Stored and enforced as 100; people read it as Unlimited (rules.md: Prices). */
export const deviceLimitUnlimited = 100;
export const adminDeviceLimits = [1, 2, 5, 10, deviceLimitUnlimited] as const;
export const resellerDeviceLimits = [1, 2, deviceLimitUnlimited] as const;

/** rules.md: Buying keys. */
export const keysPerBatchMax = 100;

/** How long an admin key may live (rules.md: Making admin keys). `expiryDate` has a day of grace for time zones. */
export const adminDaysDefault = 30;
export const adminDaysMax = 365;
export const expiryDaysMax = 366;

/** A custom key (rules.md: Key text). */
export const customKeyCharactersMin = 4;
export const customKeyCharactersMax = 64;

/** How many keys a selection may name one by one (rules.md: Selections). All that match a filter may be any number. */
export const selectedIdsMax = 2_000;
