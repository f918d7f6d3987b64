import type { RandomBytes } from "../../core/random.ts";

/** rules.md: Two-factor. How many stand in for a lost authenticator. */
const codesAtOnce = 10;

/** Digits and letters without I, L, O and U, as Crockford's base32 has them: nothing is read for something else. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeCharacters = 16;
const groupCharacters = 4;

/** 80 bits each, so that a fast hash keeps them safe at rest: nobody tries so many. */
export function newRecoveryCodes(randomBytes: RandomBytes): string[] {
  return Array.from({ length: codesAtOnce }, () => {
    const letters = [...randomBytes(new Uint8Array(codeCharacters))].map((byte) => alphabet[byte % alphabet.length]);
    return letters.join("").replace(new RegExp(`.{${groupCharacters}}(?=.)`, "g"), "$&-");
  });
}

/** The hash of a code as somebody typed it: case, spaces and dashes do not matter, nor O for 0 and I or L for 1. */
export function recoveryCodeHash(typed: string): string {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return new Bun.CryptoHasher("sha256").update(code).digest("base64url");
}
