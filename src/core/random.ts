/**
 * Fills an array with bytes from a CSPRNG, as `crypto.getRandomValues` does. Passed in everywhere; only `main.ts` calls
 * the system's.
 */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/** A text that cannot be guessed, from this many random bytes. */
export function randomText(randomBytes: RandomBytes, bytes: number): string {
  return Buffer.from(randomBytes(new Uint8Array(bytes))).toString("base64url");
}

/** Without 0, O, 1 and l, because passwords are read aloud on the telephone. */
const passwordAlphabet = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const passwordCharacters = 20;

const lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** A random password. `randomBytes` fills an array from a CSPRNG. */
export function randomPassword(randomBytes: RandomBytes): string {
  return drawn(randomBytes, passwordAlphabet, passwordCharacters);
}

/** Random letters and digits. */
export function randomLetters(randomBytes: RandomBytes, count: number): string {
  return drawn(randomBytes, lettersAndDigits, count);
}

/** Each character of the alphabet is as likely as any other. */
export function drawn(randomBytes: RandomBytes, alphabet: string, count: number): string {
  // A byte at or above this would favour the first letters of the alphabet, so it is not used.
  const unbiasedByteMax = 256 - (256 % alphabet.length);
  const bytes = new Uint8Array(count * 2);
  let text = "";
  while (text.length < count) {
    for (const byte of randomBytes(bytes)) if (byte < unbiasedByteMax) text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, count);
}
