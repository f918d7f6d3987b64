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

/** The text of key `number` (from 0), in the format and the letters of a generated one (rules.md: Key text). */
export function keyText(number: number): string {
  const scattered = (number * scatter) % scatterBelow;
  return `PBGM-${block(Math.floor(scattered / 100_000))}-${block(scattered % 100_000)}-${block((number * 7_919) % 100_000)}`;
}

/** What a block of five is counted in, and how many there are. */
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const blocksMax = letters.length ** 5;

/** Neither even nor a multiple of 3: so no two numbers make the same block, and neighbours have hardly a letter in common. */
const spread = 25_214_903;

/** `number` is below 100,000. */
function block(number: number): string {
  return ((number * spread) % blocksMax).toString(letters.length).toUpperCase().padStart(5, "0");
}

function blockInSql(number: string): string {
  const letter = (place: number) =>
    `substr('${letters}', (${number}) * ${spread} % ${blocksMax} / ${letters.length ** place} % ${letters.length} + 1, 1)`;
  return [4, 3, 2, 1, 0].map(letter).join(" || ");
}

/** The same in SQL, for a row that is numbered `i`. */
export const keyTextInSql = [
  "'PBGM'",
  blockInSql(`i * ${scatter} % ${scatterBelow} / 100000`),
  blockInSql(`i * ${scatter} % ${scatterBelow} % 100000`),
  blockInSql("i * 7919 % 100000"),
].join(" || '-' || ");

/** A device that is connected from the start: every key has a first, every second key a second one too. */
export function knownDevice(number: number): string {
  return `device-${digits(number)}-1`;
}

export const knownDevicesInSql = `
  SELECT i AS number, printf('device-%05d-1', i) AS device FROM n
  UNION ALL SELECT i, printf('device-%05d-2', i) FROM n WHERE i % 2 = 1`;

export const devicesOfKeyInSql = "1 + i % 2";

/** A key text of the same form that no database holds: it is another game's. */
export function unknownKeyText(number: number): string {
  return keyText(number).replace("PBGM", "FIRE");
}

function digits(number: number): string {
  return String(number).padStart(5, "0");
}
