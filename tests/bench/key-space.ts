/**
 * The keys and devices of a filled database follow from a key's number, so the load knows every key without reading it.
 */
export const game = "PUBG MOBILE";

/** The largest limit that a key may have: new devices find a free slot for as long as the load lasts. */
export const deviceLimit = 100;

const blockLetters = 5;
const blocks = 36 ** blockLetters;

/**
 * The text of key `number`, counted from 0, in the format of generated keys. Neighbouring numbers have unlike texts.
 */
export function keyText(number: number): string {
  return `PBGM-${block(number, 25_214_903)}-${block(number, 39_916_801)}-${block(number, 27_644_437)}`;
}

/** A multiplier without a common factor with 36 gives each number below `blocks` another block. */
function block(number: number, multiplier: number): string {
  return (((number + 1) * multiplier) % blocks).toString(36).toUpperCase().padStart(blockLetters, "0");
}

/** A text of the same format that no database holds, because it belongs to another game. */
export function unknownKeyText(number: number): string {
  return keyText(number).replace("PBGM", "FIRE");
}

/** A device that is connected to key `number` from the start. */
export function connectedDevice(number: number): string {
  return `device-${number}`;
}
