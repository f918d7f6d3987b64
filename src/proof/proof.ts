import { msPerHour, msPerSecond } from "../core/clock.ts";

/** What a game sent with its nonce: the texts as they came. */
export interface Asked {
  nonce: string;
  game: string;
  key: string;
  deviceId: string;
}

/** What a proof says of a verdict. */
export interface Provable {
  valid: boolean;
  code: string;
  expiry: string | null;
  deviceLimit: number | null;
  currentDevices: number | null;
}

export interface Circumstances {
  at: number;
  /** Whether the device holds a slot. */
  isConnected: boolean;
  leaseHours: number;
}

/** The payload of a proof (rules.md: Proofs), with times in Unix seconds, rounded down. */
export function payloadOf(asked: Asked, verdict: Provable, { at, isConnected, leaseHours }: Circumstances) {
  const { valid, code, expiry, deviceLimit: limit, currentDevices: used } = verdict;
  const iat = secondsOf(at);
  const until = expiry === null ? null : secondsOf(Date.parse(expiry));
  const isLeased = valid && isConnected && leaseHours > 0;
  const exp = isLeased
    ? Math.min(iat + leaseHours * (msPerHour / msPerSecond), until ?? Number.POSITIVE_INFINITY)
    : null;
  return { n: asked.nonce, bind: bindOf(asked), valid, code, iat, exp, until, limit, used };
}

const bindBytes = 32;

/** Binds a proof to what was asked, as the client can compute it without knowing our rules for key texts. */
export function bindOf({ game, key, deviceId }: Omit<Asked, "nonce">): string {
  const text = ["lk1", game, upperCased(key.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "")), deviceId].join("\n");
  return new Bun.CryptoHasher("sha512").update(text).digest().subarray(0, bindBytes).toString("base64url");
}

/** Only a to z, because languages disagree about other letters. */
function upperCased(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** `sign` returns the signature of a text. */
export function proofOf(kid: string, payload: object, sign: (text: string) => string): string {
  const signed = `lk1.${kid}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}`;
  return `${signed}.${sign(signed)}`;
}

function secondsOf(ms: number): number {
  return Math.floor(ms / msPerSecond);
}
