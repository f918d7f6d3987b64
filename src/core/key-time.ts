import { msPerDay } from "./clock.ts";

/** The expiry of a key that has not started. It is after all dates, and such a key is ACTIVE. */
export const untilStarted = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * SQL for the day under which `license_keys AS k` counts in the totals: that of its expiry, or -1 while it is paused. A
 * key that has not started counts under the last day of the calendar.
 */
export const totalsDay = `CASE WHEN k.paused_at IS NOT NULL THEN -1 ELSE k.expires_at / ${msPerDay} END`;
