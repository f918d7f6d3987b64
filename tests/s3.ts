import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { BackupSettings } from "../src/config/backup-settings.ts";

/**
 * An S3 bucket on a free port with the operations that backups need. It refuses requests without a valid signature
 * (SigV4).
 */
export interface S3 {
  /** The environment variables that point Latchkey to it. */
  environment: Record<string, string>;
  settings: NonNullable<BackupSettings["s3"]>;
  /** The stored objects by key. */
  objects: Map<string, Uint8Array>;
  /** The requests so far, such as `PUT latchkey/name`. */
  requests: string[];
  /** A fault that is injected into the next requests of a method. */
  fault: { method: string; times: number; kind: "fail" | "damage" | "refuse" | "be silent" } | null;
  /** Where requests are redirected to, and with which status. */
  redirect: { to: string; status: number } | null;
  /** Objects that cannot be deleted. */
  locked: Set<string>;
  /** Whether lists are empty, as they are if the host names the bucket. */
  isUnlisted: boolean;
  /** The message of every error. */
  errorMessage: string;
  close: () => void;
}

const accessKeyId = "TESTKEY";
const secretAccessKey = "a secret of the tests";
const bucket = "bucket";
const region = "eu-test-1";

export function openS3Server(): S3 {
  const objects = new Map<string, Uint8Array>();
  const requests: string[] = [];
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", maxRequestBodySize: 2 ** 31, fetch: respond });
  const address = `http://127.0.0.1:${server.port}`;
  const s3: S3 = {
    environment: {
      BACKUP_S3: `${address}/${bucket}/latchkey`,
      BACKUP_S3_REGION: region,
      BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    settings: { endpoint: address, bucket, prefix: "latchkey/", region, accessKeyId, secretAccessKey },
    objects,
    requests,
    fault: null,
    redirect: null,
    locked: new Set(),
    isUnlisted: false,
    errorMessage: "Refused.",
    close: () => void server.stop(true),
  };
  return s3;

  function refused(status: number, code: string): Response {
    return new Response(`<Error><Code>${code}</Code><Message>${s3.errorMessage}</Message></Error>`, { status });
  }

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const body = new Uint8Array(await request.arrayBuffer());
    if (!isSigned(request, url)) return refused(403, "SignatureDoesNotMatch");
    const [, inBucket, ...rest] = url.pathname.split("/").map(decodeURIComponent);
    if (inBucket !== bucket) return refused(404, "NoSuchBucket");
    const key = rest.join("/");
    requests.push(`${request.method} ${key}`);
    const { redirect } = s3;
    if (redirect) return Response.redirect(redirect.to + url.pathname, redirect.status);
    if (request.method === "PUT" && !request.headers.has("content-length")) return refused(411, "MissingContentLength");
    const fault = s3.fault?.method === request.method && s3.fault.times > 0 ? s3.fault : null;
    if (fault) fault.times -= 1;
    if (fault?.kind === "fail") return refused(503, "SlowDown");
    if (fault?.kind === "refuse") return refused(403, "QuotaExceeded");
    if (fault?.kind === "be silent") return new Promise(() => {});
    return handle(request.method, key, { url, body: fault ? damaged(body) : body, isDamaged: fault !== null });
  }

  function handle(
    method: string,
    key: string,
    { url, body, isDamaged }: { url: URL; body: Uint8Array; isDamaged: boolean },
  ) {
    if (method === "GET" && key === "") return listed(url);
    if (method === "PUT") {
      objects.set(key, body);
      return new Response(null, { headers: { etag: '"whole"' } });
    }
    if (method === "DELETE" && s3.locked.has(key)) return refused(403, "AccessDenied");
    if (method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    const object = objects.get(key);
    if (!object) return refused(404, "NoSuchKey");
    return new Response(method === "HEAD" ? null : (isDamaged ? damaged(object) : object).slice());
  }

  /** Lists two keys per page, so that clients must follow pages. */
  function listed(url: URL): Response {
    const prefix = url.searchParams.get("prefix") ?? "";
    const after = url.searchParams.get("start-after") ?? "";
    const all = s3.isUnlisted ? [] : [...objects.keys()];
    const keys = all.filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, 2);
    const rows = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
    return xml(
      `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${keys.length > 2}</IsTruncated>${rows.join("")}</ListBucketResult>`,
    );
  }
}

/** Damages many bytes, because zstd may ignore a single flipped bit. */
function damaged(bytes: Uint8Array): Uint8Array {
  const middle = bytes.length >> 1;
  return bytes.map((byte, index) => (Math.abs(index - middle) < 32 ? ~byte : byte));
}

function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "content-type": "application/xml" },
  });
}

/** AWS Signature Version 4, in a header or in the query. The body's signature is not required. */
function isSigned(request: Request, url: URL): boolean {
  const { headers } = request;
  const pattern = /^AWS4-HMAC-SHA256 Credential=(.+), ?SignedHeaders=(.+), ?Signature=(\w{64})$/;
  const header = headers.get("authorization")?.match(pattern);
  const query = url.searchParams;
  const said = (name: string) => query.get(`X-Amz-${name}`) ?? "";
  const [, credential = said("Credential"), signed = said("SignedHeaders"), signature = said("Signature")] =
    header ?? [];
  const [key, day = "", inRegion = "", ...service] = credential.split("/");
  const at = headers.get("x-amz-date") ?? said("Date");
  if (key !== accessKeyId || inRegion !== region || service.join("/") !== "s3/aws4_request" || !at.startsWith(day)) {
    return false;
  }
  const pairs = [...query].filter(([name]) => name !== "X-Amz-Signature");
  const canonical = [
    request.method,
    url.pathname,
    pairs
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join("&"),
    signed
      .split(";")
      .map((name) => `${name}:${headers.get(name)?.trim()}\n`)
      .join(""),
    signed,
    headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD",
  ].join("\n");
  const scope = `${day}/${inRegion}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n");
  const signing = scope.split("/").reduce<Buffer | string>((by, piece) => hmac(by, piece), `AWS4${secretAccessKey}`);
  const expected = hmac(signing, toSign);
  return signature.length === 64 && timingSafeEqual(expected, Buffer.from(signature, "hex"));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
