/* The limits of keys and prices. They are separate from the schemas, so that pages do not load TypeBox. */

/** Stored and enforced as 100, shown as Unlimited (rules.md: Prices). */
export const deviceLimitUnlimited = 100;
export const adminDeviceLimits = [1, 2, 5, 10, deviceLimitUnlimited] as const;
export const resellerDeviceLimits = [1, 2, deviceLimitUnlimited] as const;

export const priceCreditsMax = 1_000_000;

/** The limit whose price counts for a key: a limit that resellers cannot choose costs as much as the next higher one. */
export function pricedLimit(deviceLimit: number): number {
  return resellerDeviceLimits.find((option) => option >= deviceLimit) ?? deviceLimitUnlimited;
}
