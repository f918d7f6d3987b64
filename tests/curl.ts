import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Replaces curl on machines without it, with the options that the README and the samples use. `curl-folder.ts` puts it
 * at the end of PATH, so an installed curl takes precedence.
 */
const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    "cookie-jar": { type: "string", short: "c" },
    cookie: { type: "string", short: "b" },
    header: { type: "string", short: "H", multiple: true },
    data: { type: "string", short: "d" },
    request: { type: "string", short: "X" },
    retry: { type: "string" },
    "retry-max-time": { type: "string" },
    output: { type: "string", short: "o" },
    "write-out": { type: "string", short: "w" },
  },
});

const headers = new Headers((values.header ?? []).map((header) => header.split(/:\s*/, 2) as [string, string]));
if (values.cookie && existsSync(values.cookie)) headers.set("cookie", readFileSync(values.cookie, "utf8"));
const method = values.request ?? (values.data === undefined ? "GET" : "POST");

const send = () => fetch(positionals[0] ?? "", { method, headers, body: values.data });
let response = await send();
const retriesEndAt = Date.now() + Number(values["retry-max-time"] ?? Number.POSITIVE_INFINITY) * 1_000;
for (
  let tries = Number(values.retry ?? 0);
  tries > 0 && [429, 500, 502, 503, 504].includes(response.status);
  tries -= 1
) {
  const waitMs = Number(response.headers.get("retry-after") ?? 1) * 1_000;
  if (Date.now() + waitMs > retriesEndAt) break;
  await Bun.sleep(waitMs);
  response = await send();
}
const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
if (values["cookie-jar"]) writeFileSync(values["cookie-jar"], cookies.join("; "));
const text = await response.text();
if (values.output) writeFileSync(values.output, text);
else process.stdout.write(text);
process.stdout.write(values["write-out"]?.replace("%{http_code}", String(response.status)) ?? "");
