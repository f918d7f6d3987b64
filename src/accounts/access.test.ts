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

// `only` and `open` become a `parse` hook, which nothing else sets.
test("every route below /api declares its access", () => {
  const undeclared = routes().filter(({ hooks }) => [hooks.parse ?? []].flat().length === 0);
  expect(undeclared.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("every route for admins, resellers or the own account checks the session first", async () => {
  const guarded = routes().filter(({ path }) =>
    /^\/api\/(admin\/|reseller\/|auth\/(password|sessions|two-factor)\b)/.test(path),
  );
  expect(guarded.length).toBeGreaterThan(30);
  for (const { method, path } of guarded) {
    const body = method === "GET" ? undefined : {};
    const { status } = await panel.newClient().call(method, path.replace(/:\w+/g, "1"), body);
    expect([method, path, status]).toEqual([method, path, 401]);
  }
});
