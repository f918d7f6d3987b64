/* Limits of webhooks (rules.md: Webhooks). */

export const webhooksPerAccountMax = 10;
export const urlCharactersMax = 2048;
/** How many deliveries a list has without a `limit`. */
export const deliveriesDefault = 100;
