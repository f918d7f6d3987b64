import { Secret, TOTP } from "otpauth";
import type { RandomBytes } from "../../core/random.ts";

/** rules.md: Two-factor. RFC 6238 in the form that every authenticator understands. */
const stepSeconds = 30;
const digits = 6;
const toleranceSteps = 1;
const secretBytes = 20;
const issuer = "Latchkey";

/** A fresh secret, as people type it into an authenticator. */
export function newTotpSecret(randomBytes: RandomBytes): string {
  const { buffer } = randomBytes(new Uint8Array(secretBytes)) as Uint8Array<ArrayBuffer>;
  return new Secret({ buffer }).base32;
}

/** What an authenticator reads off a QR code. */
export function totpUri(secret: string, username: string): string {
  return totpOf(secret, username).toString();
}

/** The step that a code belongs to, now or one step off, or `null` for a wrong one. `atMs` is the time of the code's device. */
export function totpStepOf(secret: string, code: string, atMs: number): number | null {
  const totp = totpOf(secret);
  const stepsOff = totp.validate({ token: code, timestamp: atMs, window: toleranceSteps });
  return stepsOff === null ? null : totp.counter({ timestamp: atMs }) + stepsOff;
}

/** Whether a text has the form of a code that an authenticator shows. */
export function isTotp(code: string): boolean {
  return new RegExp(`^[0-9]{${digits}}$`).test(code);
}

function totpOf(secret: string, label?: string): TOTP {
  return new TOTP({ issuer, label, secret, algorithm: "SHA1", digits, period: stepSeconds });
}
