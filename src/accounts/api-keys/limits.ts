/* Limits of API keys (rules.md: API keys). */

export const apiKeysPerAccountMax = 20;
export const nameCharactersMax = 64;
export const addressesMax = 20;
