import type { KeyObject } from "node:crypto";

/** The private half of a key is a seed of 32 random bytes. */
export const seedBytes = 32;

/** What precedes the seed in the format that Node.js reads (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

export function privateKeyOf(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([pkcs8Prefix, seed]);
  return cryptography().createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** As base64url, like the signatures. */
export function publicHalfOf(privateKey: KeyObject): string {
  return String(cryptography().createPublicKey(privateKey).export({ format: "jwk" }).x);
}

export function signatureOf(text: string, privateKey: KeyObject): string {
  return cryptography().sign(null, Buffer.from(text), privateKey).toString("base64url");
}

/** Loaded at the first use: an import would load it at every start. */
function cryptography() {
  return process.getBuiltinModule("node:crypto");
}
