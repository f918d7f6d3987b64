import { afterAll, beforeAll, expect, test } from "bun:test";
import { registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";

let panel: Panel;
// biome-ignore lint/suspicious/noExplicitAny: the tests, not a type, check this JSON.
let paths: any;
// biome-ignore lint/suspicious/noExplicitAny: as above.
let operations: { call: string; operation: any }[];
beforeAll(async () => {
  panel = await openPanel();
  ({ paths } = (await panel.newClient().get("/swagger/json")).body);
  operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
});
afterAll(() => panel.close());

const responseOf = (path: string, method: string, status: number) => paths[path][method].responses[status];

test("the headers that a response has are documented", async () => {
  const admin = await signInAdmin(panel.newClient);
  const reseller = await registerReseller(panel.newClient, admin, { username: "header.reader", credits: 1 });
  for (const title of ["First", "Second"]) await admin.post("/api/admin/online-updates", { title, message: "Hello" });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 2 };
  expect((await reseller.post("/api/reseller/keys/generate", order)).status).toBe(201);
  const sent = async (path: string) => (await reseller.get(path)).headers;
  const updates = await sent("/api/updates?limit=1");
  expect([updates.has("link"), updates.has("etag")]).toEqual([true, true]);
  expect(Object.keys(responseOf("/api/updates", "get", 200).headers)).toEqual(["Link", "ETag"]);
  const keys = await sent("/api/reseller/keys?limit=1&count=true");
  expect([keys.has("link"), keys.get("x-match-count")]).toEqual([true, "2"]);
  expect(Object.keys(responseOf("/api/reseller/keys", "get", 200).headers)).toEqual(["Link", "X-Match-Count"]);
  expect(responseOf("/api/admin/keys/manage", "get", 200).headers).toBeUndefined();
  for (const { call, operation } of operations) {
    for (const status of [429, 503].filter((each) => each in operation.responses)) {
      expect([call, Object.keys(operation.responses[status].headers)]).toEqual([call, ["Retry-After"]]);
    }
  }
});

test("the headers that a call reads are parameters", () => {
  const reading = operations.flatMap(({ call, operation: { parameters = [] } }) =>
    parameters
      .filter((parameter: { in: string }) => parameter.in === "header")
      .map(({ name, schema }: { name: string; schema: object }) => [call, name, schema]),
  );
  const idempotencyKey = { type: "string", minLength: 1, maxLength: 255 };
  const callsThatRetry = (call: string) =>
    ["reseller", "admin"].map((role) => [`POST /api/${role}/keys/${call}`, "Idempotency-Key", idempotencyKey]);
  expect(reading).toEqual([
    ["GET /api/updates", "If-None-Match", { type: "string" }],
    ...callsThatRetry("{id}/extend"),
    ...callsThatRetry("selected/extend"),
    ...callsThatRetry("{id}/replace"),
    ["POST /api/admin/interventions", "Idempotency-Key", idempotencyKey],
    ...callsThatRetry("generate"),
  ]);
});

test("unchanged updates are a documented 304 without a body", async () => {
  const client = panel.newClient();
  const etag = (await client.get("/api/updates")).headers.get("etag") ?? "";
  const request = new Request("http://localhost/api/updates", { headers: { "if-none-match": etag } });
  const held = await panel.app.fetch(request);
  expect([held.status, await held.text()]).toEqual([304, ""]);
  expect(responseOf("/api/updates", "get", 304)).not.toHaveProperty("content");
});
