/** Fills an array with bytes from a CSPRNG, as `crypto.getRandomValues` does. Passed in everywhere; only `main.ts` asks the system. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/** A text that nobody guesses, of so many random bytes. */
export function randomText(randomBytes: RandomBytes, bytes: number): string {
  return Buffer.from(randomBytes(new Uint8Array(bytes))).toString("base64url");
}
