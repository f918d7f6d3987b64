import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Elysia } from "elysia";
import { Refusal } from "../core/refusal.ts";
import { createAssets, createBrandFiles, createPublicFiles, readAssetManifest } from "./assets.ts";
import { statusOf } from "./errors.ts";

const manifest = readAssetManifest();
const app = new Elysia()
  .onError(({ error }) => (error instanceof Refusal ? new Response(null, { status: statusOf[error.code] }) : undefined))
  .use(createAssets())
  .use(await createPublicFiles());

function get(path: string, acceptEncoding?: string, method = "GET") {
  const headers: Record<string, string> = acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding };
  return app.handle(new Request(`http://localhost${path}`, { method, headers }));
}

test("a hashed file may be cached forever and has a content type", async () => {
  const script = manifest.scripts["sign-in"]?.file as string;
  for (const [path, type] of [
    [script, "text/javascript; charset=utf-8"],
    [manifest.styles, "text/css; charset=utf-8"],
    [manifest.swagger.script, "text/javascript; charset=utf-8"],
    [manifest.swagger.styles, "text/css; charset=utf-8"],
    [manifest.font, "font/woff2"],
    [`${manifest.font}.LICENSE.txt`, "text/plain; charset=utf-8"],
  ] as const) {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect([response.headers.get("vary"), response.headers.get("x-content-type-options")]).toEqual([
      "Accept-Encoding",
      "nosniff",
    ]);
  }
});

test("the smallest accepted encoding is sent, and all have the same content", async () => {
  const plain = await (await get(manifest.styles)).text();
  const forms: [string, string | null, (bytes: Uint8Array) => Uint8Array][] = [
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip, br;q=0", "gzip", gunzipSync],
    ["*", "br", brotliDecompressSync],
    ["identity", null, (bytes) => bytes],
    ["", null, (bytes) => bytes],
  ];
  for (const [header, encoding, decode] of forms) {
    const response = await get(manifest.styles, header);
    expect([header, response.headers.get("content-encoding")]).toEqual([header, encoding]);
    expect(new TextDecoder().decode(decode(await response.bytes()))).toBe(plain);
  }
});

test("the font is sent without compression, because its format is compressed", async () => {
  const response = await get(manifest.font, "gzip, br");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(new TextDecoder().decode((await response.bytes()).slice(0, 4))).toBe("wOF2");
});

test("HEAD returns only the headers", async () => {
  const response = await get(manifest.styles, "br", "HEAD");
  expect([response.status, response.headers.get("content-encoding"), await response.text()]).toEqual([200, "br", ""]);
});

test("files of public/ are served under their names and may be cached for an hour", async () => {
  for (const [path, type] of [
    ["/mark.svg", "image/svg+xml"],
    ["/manifest.webmanifest", "application/manifest+json"],
    ["/error.wav", "audio/"],
    ["/favicon.ico", "image/"],
    ["/mark.svg", "image/svg+xml"],
  ] as const) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("content-type")).toStartWith(type);
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    expect((await response.bytes()).length).toBeGreaterThan(100);
  }
});

test("neither the script manifest nor files outside the folders are served", async () => {
  for (const path of [
    "/assets/manifest.json",
    `${manifest.styles}.br`,
    "/assets/..%2f..%2fpackage.json",
    "/package.json",
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test("the icons in the web manifest exist", async () => {
  const { icons } = (await (await get("/manifest.webmanifest")).json()) as { icons: { src: string }[] };
  for (const { src } of icons) expect([src, (await get(src)).status]).toEqual([src, 200]);
});

test("the logo is an image that runs no scripts, and the manifest of an installed panel has its name and logo", async () => {
  const content = new TextEncoder().encode("<svg><script>alert(1)</script></svg>");
  const own = createBrandFiles({ name: 'Night "Owl"', logoFile: { type: "image/svg+xml", content } });
  const logo = await own.handle(new Request("http://localhost/logo"));
  expect([await logo.text(), logo.headers.get("content-type"), logo.headers.get("x-content-type-options")]).toEqual([
    new TextDecoder().decode(content),
    "image/svg+xml",
    "nosniff",
  ]);
  expect(logo.headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
  const installed = await (await own.handle(new Request("http://localhost/manifest.webmanifest"))).json();
  expect(installed).toMatchObject({ name: 'Night "Owl"', icons: [{ src: "/logo", type: "image/svg+xml" }] });
  const ours = createBrandFiles({ name: "Latchkey", logoFile: null });
  expect((await (await ours.handle(new Request("http://localhost/manifest.webmanifest"))).json()).icons).toHaveLength(
    4,
  );
});
