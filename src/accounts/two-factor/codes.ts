import { Secret, TOTP } from "otpauth";
import { foldedKeyText } from "../../core/key-text.ts";
import type { RandomBytes } from "../../core/random.ts";

/** rules.md: Two-factor. The number of recovery codes. */
const codesAtOnce = 10;

/** Digits and letters without I, L, O and U, as in Crockford's base32, so that no two look alike. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeCharacters = 16;
const groupCharacters = 4;

/** 80 bits each, which are too many to try, so a fast hash keeps them safe at rest. */
export function newRecoveryCodes(randomBytes: RandomBytes): string[] {
  return Array.from({ length: codesAtOnce }, () => {
    const letters = [...randomBytes(new Uint8Array(codeCharacters))].map((byte) => alphabet[byte % alphabet.length]);
    return letters.join("").replace(new RegExp(`.{${groupCharacters}}(?=.)`, "g"), "$&-");
  });
}

/** The hash of a typed code. Dashes do not count, nor O for 0 and I or L for 1 (rules.md: Key text). */
export function recoveryCodeHash(typed: string): string {
  const code = foldedKeyText(typed).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  return new Bun.CryptoHasher("sha256").update(code).digest("base64url");
}

/** rules.md: Two-factor. RFC 6238 in the form that every authenticator understands. */
const stepSeconds = 30;
const digits = 6;
const toleranceSteps = 1;
const secretBytes = 20;

/** A fresh secret, as people type it into an authenticator. */
export function newTotpSecret(randomBytes: RandomBytes): string {
  const { buffer } = randomBytes(new Uint8Array(secretBytes)) as Uint8Array<ArrayBuffer>;
  return new Secret({ buffer }).base32;
}

/** The content of the QR code for an authenticator, which shows issuer and username. */
export function totpUri(secret: string, issuer: string, username: string): string {
  return totpOf(secret, { issuer, label: username }).toString();
}

/**
 * The step that a code belongs to, now or one step off, or `null` for a wrong one. `atMs` is the time of the code's
 * device.
 */
export function totpStepOf(secret: string, code: string, atMs: number): number | null {
  const totp = totpOf(secret);
  const stepsOff = totp.validate({ token: code, timestamp: atMs, window: toleranceSteps });
  return stepsOff === null ? null : totp.counter({ timestamp: atMs }) + stepsOff;
}

/** Whether a text has the form of a code that an authenticator shows. */
export function isTotp(code: string): boolean {
  return new RegExp(`^[0-9]{${digits}}$`).test(code);
}

function totpOf(secret: string, shown: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...shown, secret, algorithm: "SHA1", digits, period: stepSeconds });
}
