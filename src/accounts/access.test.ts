import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPanel, type Panel } from "../../tests/panel.ts";

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
});
afterAll(() => panel.close());

// The two verification calls are public and have separate hooks.
const routes = () =>
  panel.app.routes.filter(({ method, path }) => /^\/api\/(?!verify)/.test(path) && method !== "OPTIONS");

// `only`, `onlyPeople` and `open` become a `parse` hook, which nothing else sets.
test("every route below /api declares its access", () => {
  const undeclared = routes().filter(({ hooks }) => [hooks.parse ?? []].flat().length === 0);
  expect(undeclared.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("every route for admins, resellers or the own account checks the session before it reads the body", async () => {
  const guarded = routes().filter(({ path }) =>
    /^\/api\/(admin\/|reseller\/|auth\/(password|sessions|two-factor)\b)/.test(path),
  );
  expect(guarded.length).toBeGreaterThan(30);
  for (const { method, path } of guarded) {
    const body = method === "GET" ? undefined : "{}";
    const headers = { "content-type": "application/json" };
    const request = new Request(`http://localhost${path.replace(/:\w+/g, "1")}`, { method, body, headers });
    const { status } = await panel.app.fetch(request);
    expect([method, path, status, request.bodyUsed]).toEqual([method, path, 401, false]);
  }
});
