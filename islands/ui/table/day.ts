/** The first instant of a day of the reader's (2025-03-05), or of one so many days later; `undefined` for what is no day. */
export function beginningOfDay(day: string, daysLater = 0): string | undefined {
  const [, year, month, date] = day.match(/^(\d{4})-(\d\d)-(\d\d)$/) ?? [];
  const instant = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
