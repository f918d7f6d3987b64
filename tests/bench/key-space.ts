/**
 * The keys and devices that a benchmark's database is filled with: a function of their number alone, so that the load
 * knows every key of a million without reading any.
 */
export const game = "PUBG MOBILE";

/** Every key takes as many devices as a key can, so that new devices find a slot for as long as the load lasts. */
export const deviceLimit = 100;

/** Odd and no multiple of 5, so that the products below 10^10 meet every number once, in no order that an index likes. */
const scatter = 387_420_489;
const scatterBelow = 10_000_000_000;

/** The text of key `number` (from 0), in the format of a generated one (rules.md: Key text). */
export function keyText(number: number): string {
  const scattered = (number * scatter) % scatterBelow;
  return `PBGM-${digits(Math.floor(scattered / 100_000))}-${digits(scattered % 100_000)}-${digits((number * 7_919) % 100_000)}`;
}

/** The same in SQL, for a row that is numbered `i`. */
export const keyTextInSql = `printf('PBGM-%05d-%05d-%05d',
  (i * ${scatter} % ${scatterBelow}) / 100000, (i * ${scatter} % ${scatterBelow}) % 100000, (i * 7919) % 100000)`;

/** A device that is connected from the start: every key has a first, every second key a second one too. */
export function knownDevice(number: number): string {
  return `device-${digits(number)}-1`;
}

export const knownDevicesInSql = `
  SELECT i AS number, printf('device-%05d-1', i) AS device FROM n
  UNION ALL SELECT i, printf('device-%05d-2', i) FROM n WHERE i % 2 = 1`;

export const devicesOfKeyInSql = "1 + i % 2";

/** A key text of the same form that no database holds: its last block has a letter. */
export function unknownKeyText(number: number): string {
  return `${keyText(number).slice(0, -1)}X`;
}

function digits(number: number): string {
  return String(number).padStart(5, "0");
}
