import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { resourcePath } from "../config/program.ts";
import { sdkChecksums } from "./sdk-files.ts";

const headers = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "x-content-type-options": "nosniff",
};

/** The SDKs and their test cases, as text to read and to save, with their checksums. */
export async function createSdkRoutes() {
  const files = await staticPlugin({
    assets: resourcePath("public/sdk"),
    prefix: "/sdk",
    alwaysStatic: true,
    etag: false,
    headers,
    detail: { hide: true },
  });
  return new Elysia({ name: "SDKs" })
    .use(files)
    .get("/sdk/SHA256SUMS", () => new Response(sdkChecksums(), { headers }), { detail: { hide: true } });
}
