import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

/* Makes what a server signs and a device sends, without the SDK, so that the vectors check it against something else. */

const hash = (text: string) => createHash("sha512").update(text).digest();

export const base64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** The same bytes for the same words at every run. */
export const bytesOf = (words: string, count: number) => hash(`vectors\n${words}`).subarray(0, count);

export const nonceOf = (words: string) => base64Url(bytesOf(words, 16));

export interface SigningKey {
  kid: string;
  publicKey: string;
  sign(text: string): string;
}

export function signingKey(kid: string): SigningKey {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const privateKey = createPrivateKey({
    key: Buffer.concat([head, bytesOf(`signing key ${kid}`, 32)]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = createPublicKey(privateKey).export({ format: "jwk" }).x as string;
  return { kid, publicKey, sign: (text) => base64Url(sign(null, Buffer.from(text), privateKey)) };
}

export const active = signingKey("k1active");
export const next = signingKey("k2next00");
/** Not pinned. */
export const previous = signingKey("k0before");

export const pinOf = ({ kid, publicKey }: SigningKey) => ({ kid, publicKey });

export function bindOf(game: string, key: string, deviceId: string): string {
  const plain = key.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return base64Url(hash(`lk1\n${game}\n${plain}\n${deviceId}`).subarray(0, 32));
}

export function deviceIdOf(game: string, source: string): string {
  return `d1.${base64Url(hash(`latchkey-device\n${game}\n${source}`).subarray(0, 16))}`;
}

export function proofOf(payload: unknown, key = active, format = "lk1"): string {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signed = `${format}.${key.kid}.${base64Url(Buffer.from(text))}`;
  return `${signed}.${key.sign(signed)}`;
}
