import assert from "node:assert/strict";
import fc from "fast-check";
import { sendBrokenHttp } from "./fuzz/broken-http.ts";
import { type Cast, openCast } from "./fuzz/cast.ts";
import { type Answered, type Documentation, readDocumentation } from "./fuzz/document.ts";
import { anyRequest, type FuzzedRequest } from "./fuzz/requests.ts";
import type { Drill } from "./harness/drill.ts";
import { type Supervised, supervise } from "./harness/supervisor.ts";

/** Of each so many requests the server and its content are new: what is made by chance piles up. */
const requestsPerServer = 2_000;
const brokenPerServer = 200;

/** What no answer may tell of the inside. */
const inside =
  /SQLITE|PostgresError|postgres:\/\/|node_modules|\/src\/|\/\$bunfs|\bat \w+ \(|argon2|no such (table|column)|latchkey-test-/;

export const drill: Drill<{ requests: number }> = {
  number: "R8",
  promise:
    "requests that are generated from the API's own document and then broken, and HTTP that is none, are answered as documented: no 5xx, no leak",
  onPostgres: true,
  sizes: { short: { requests: requestsPerServer }, long: { requests: 100_000 } },
  async run({ requests }) {
    const counts = { sent: 0, broken: 0, succeeded: new Set<string>(), operations: 0 };
    while (counts.sent < requests) {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const server = await supervise({ environment: { LOG_LEVEL: "error" } });
      try {
        counts.broken += await sendBrokenHttp(server.url, brokenPerServer, seed);
        await sendRequests(server, seed, counts);
        const health = await fetch(`${server.url}/healthz`);
        assert.deepEqual([health.status, await health.json()], [200, { status: "ok" }]);
        await server.kill();
        await server.stored.holdWhole();
      } finally {
        await server.close();
      }
    }
    const said = (count: number) => count.toLocaleString("en-US");
    return `${said(counts.sent)} requests and ${said(counts.broken)} of broken HTTP, ${counts.succeeded.size} of ${counts.operations} calls also with success, 0 answers that are not documented`;
  },
};

async function sendRequests(
  server: Supervised,
  seed: number,
  counts: { sent: number; succeeded: Set<string>; operations: number },
): Promise<void> {
  const documentation = await readDocumentation(server.url);
  const cast = await openCast(server);
  counts.operations = documentation.operations.length;
  const request = anyRequest(documentation.operations, cast);
  const property = fc.asyncProperty(request, async (request) => {
    const answer = await send(server.url, cast, request);
    counts.sent += 1;
    const operation = documentation.operationOf(request.method, request.address);
    if (operation && answer.status < 300) counts.succeeded.add(`${operation.method} ${operation.path}`);
    const problem = problemOf(documentation, cast, request, answer);
    assert.ok(problem === null, `${curlOf(cast, request)}\n${answer.status} ${answer.text.slice(0, 600)}\n${problem}`);
    await cast.heed(request, answer);
  });
  const result = await fc.check(property, { seed, numRuns: requestsPerServer });
  if (!result.failed) return;
  if (!(result.errorInstance instanceof assert.AssertionError)) throw result.errorInstance;
  console.error(`\n${result.errorInstance.message}\n`);
  assert.fail(
    `A request of the seed ${seed} is not answered as documented: ${lastLineOf(result.errorInstance.message)}`,
  );
}

function problemOf(
  documentation: Documentation,
  cast: Cast,
  request: FuzzedRequest,
  answer: Answered & { headers: string },
): string | null {
  const said = answer.headers + answer.text;
  const told = inside.exec(said)?.[0] ?? cast.secrets().find((secret) => said.includes(secret));
  if (told !== undefined) return `the answer tells of the inside: ${told}`;
  const operation = documentation.operationOf(request.method, request.address);
  // What a browser asks before it sends something is no call.
  if (request.method === "OPTIONS" && answer.status < 500) return null;
  // The answer to HEAD is that of GET without its body.
  const seen = request.method === "HEAD" ? { ...answer, type: "" } : answer;
  return operation ? documentation.problemOf(operation, seen) : documentation.problemElsewhere(request.address, seen);
}

async function send(
  url: string,
  cast: Cast,
  { caller, method, address, headers, body }: FuzzedRequest,
): Promise<Answered & { headers: string }> {
  const cookie = cast.cookieOf(caller);
  const response = await fetch(url + address, {
    method,
    headers: { ...(cookie && { cookie }), ...headers },
    body,
    redirect: "manual",
    decompress: true,
  });
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  const told = [...response.headers].filter(([name]) => name !== "set-cookie");
  return { status: response.status, type, text: await response.text(), headers: JSON.stringify(told) };
}

function curlOf(cast: Cast, { caller, method, address, headers, body }: FuzzedRequest): string {
  const shown = Object.entries(headers).map(([name, value]) => ` -H '${name}: ${value}'`);
  const jar = cast.cookieOf(caller) && ` -b ${cast.nameOf(caller)}.cookies`;
  const data = body === undefined ? "" : ` -d '${body.replaceAll("'", `'\\''`)}'`;
  return `curl -sS -X ${method}${jar}${shown.join("")}${data} "$url${address}"`;
}

function lastLineOf(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
