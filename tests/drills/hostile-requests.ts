import assert from "node:assert/strict";
import fc from "fast-check";
import { type Accounts, createAccounts } from "./fuzz/accounts.ts";
import { sendBrokenHttp } from "./fuzz/broken-http.ts";
import { type Documentation, type FuzzResponse, readDocumentation } from "./fuzz/document.ts";
import { anyRequest, type FuzzedRequest } from "./fuzz/requests.ts";
import type { Drill } from "./harness/drill.ts";
import { type Supervised, supervise } from "./harness/supervisor.ts";

/** A new server with new data after this many requests, because the generated data accumulates. */
const requestsPerServer = 2_000;
const brokenPerServer = 200;

/** Internals that no response may reveal. */
const internals =
  /SQLITE|PostgresError|postgres:\/\/|node_modules|\/src\/|\/\$bunfs|\bat \w+ \(|argon2|no such (table|column)|latchkey-test-/;

export const drill: Drill<{ requests: number }> = {
  number: "R8",
  promise:
    "requests generated from the API document and then broken, and malformed HTTP, get documented responses: no 5xx, no leak",
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
        await server.stored.assertIntegrity();
      } finally {
        await server.close();
      }
    }
    const text = (count: number) => count.toLocaleString("en-US");
    return `${text(counts.sent)} requests and ${text(counts.broken)} of broken HTTP, ${counts.succeeded.size} of ${counts.operations} calls also succeeded, 0 undocumented responses`;
  },
};

async function sendRequests(
  server: Supervised,
  seed: number,
  counts: { sent: number; succeeded: Set<string>; operations: number },
): Promise<void> {
  const documentation = await readDocumentation(server.url);
  const accounts = await createAccounts(server);
  counts.operations = documentation.operations.length;
  const request = anyRequest(documentation.operations, accounts);
  const property = fc.asyncProperty(request, async (request) => {
    const response = await send(server.url, accounts, request);
    counts.sent += 1;
    const operation = documentation.operationOf(request.method, request.address);
    if (operation && response.status < 300) counts.succeeded.add(`${operation.method} ${operation.path}`);
    const problem = problemOf(documentation, accounts, request, response);
    assert.ok(
      problem === null,
      `${curlOf(accounts, request)}\n${response.status} ${response.text.slice(0, 600)}\n${problem}`,
    );
    await accounts.track(request, response);
  });
  const result = await fc.check(property, { seed, numRuns: requestsPerServer });
  if (!result.failed) return;
  if (!(result.errorInstance instanceof assert.AssertionError)) throw result.errorInstance;
  console.error(`\n${result.errorInstance.message}\n`);
  assert.fail(`With the seed ${seed} a response is not as documented: ${lastLineOf(result.errorInstance.message)}`);
}

function problemOf(
  documentation: Documentation,
  accounts: Accounts,
  request: FuzzedRequest,
  response: FuzzResponse & { headers: string },
): string | null {
  const content = response.headers + response.text;
  const leak = internals.exec(content)?.[0] ?? accounts.secrets().find((secret) => content.includes(secret));
  if (leak !== undefined) return `the response reveals internals: ${leak}`;
  const operation = documentation.operationOf(request.method, request.address);
  // A browser's preflight request is not a documented call.
  if (request.method === "OPTIONS" && response.status < 500) return null;
  // The response to HEAD is that of GET without the body.
  const checked = request.method === "HEAD" ? { ...response, type: "" } : response;
  return operation
    ? documentation.problemOf(operation, checked)
    : documentation.problemElsewhere(request.address, checked);
}

async function send(
  url: string,
  accounts: Accounts,
  { caller, method, address, headers, body }: FuzzedRequest,
): Promise<FuzzResponse & { headers: string }> {
  const cookie = accounts.cookieOf(caller);
  const response = await fetch(url + address, {
    method,
    headers: { ...(cookie && { cookie }), ...headers },
    body,
    redirect: "manual",
    decompress: true,
  });
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  const visibleHeaders = [...response.headers].filter(([name]) => name !== "set-cookie");
  return { status: response.status, type, text: await response.text(), headers: JSON.stringify(visibleHeaders) };
}

function curlOf(accounts: Accounts, { caller, method, address, headers, body }: FuzzedRequest): string {
  const shown = Object.entries(headers).map(([name, value]) => ` -H '${name}: ${value}'`);
  const jar = accounts.cookieOf(caller) && ` -b ${accounts.nameOf(caller)}.cookies`;
  const data = body === undefined ? "" : ` -d '${body.replaceAll("'", `'\\''`)}'`;
  return `curl -sS -X ${method}${jar}${shown.join("")}${data} "$url${address}"`;
}

function lastLineOf(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
