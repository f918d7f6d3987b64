import { createHash, createPublicKey, verify } from "node:crypto";

export interface Pin {
  kid: string;
  publicKey: string;
}

/** What a client does with a proof before it believes anything in it. Returns the payload, or null if it is no good. */
export function readProof(proof: unknown, pins: Pin[]) {
  const parts = typeof proof === "string" ? proof.split(".") : [];
  const [format, kid, payload = "", signature = ""] = parts;
  const pin = pins.find((each) => each.kid === kid);
  if (format !== "lk1" || parts.length !== 4 || !pin) return null;
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: pin.publicKey }, format: "jwk" });
  const signed = Buffer.from(`lk1.${kid}.${payload}`, "ascii");
  if (!verify(null, signed, key, Buffer.from(signature, "base64url"))) return null;
  return { kid, ...JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) };
}

/** `key` as the client computes it: trimmed, with a to z upper-cased. */
export function bindFor(game: string, key: string, deviceId: string): string {
  return createHash("sha512")
    .update(`lk1\n${game}\n${key}\n${deviceId}`)
    .digest()
    .subarray(0, 32)
    .toString("base64url");
}

export function newNonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url");
}
