/**
 * The headers of Standard Webhooks 1.0. The official library would add three packages, with a SHA-256 in JavaScript,
 * for these few lines; tests verify with it.
 */
export function signedHeaders(
  { id, body, secondsNow }: { id: string; body: string; secondsNow: number },
  secrets: readonly string[],
): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(secondsNow),
    "webhook-signature": secrets.map((secret) => `v1,${signature(secret, `${id}.${secondsNow}.${body}`)}`).join(" "),
  };
}

export const secretPrefix = "whsec_";

function signature(secret: string, content: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}
