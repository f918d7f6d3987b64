/** Milliseconds since 1970 in UTC. Passed in everywhere; only `main.ts` asks the system. */
export type Now = () => number;

export const msPerSecond = 1_000;
export const msPerMinute = 60 * msPerSecond;
export const msPerHour = 60 * msPerMinute;
export const msPerDay = 24 * msPerHour;

/** ISO 8601 in UTC with milliseconds, the form of every time in the API. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
