import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPanel, type Panel } from "../../tests/panel.ts";

let panel: Panel;
let answers: { call: string; status: number; headers: Headers }[];

/** What each route of the API answers to somebody who is not signed in and sends nothing of use. */
beforeAll(async () => {
  panel = await openPanel();
  const routes = panel.app.routes.filter(({ method, path }) => path.startsWith("/api/") && method !== "OPTIONS");
  answers = await Promise.all(
    routes.map(async ({ method, path }) => {
      const body = method === "GET" ? undefined : {};
      const { status, headers } = await panel.newClient().call(method, path.replace(/:\w+/g, "1"), body);
      return { call: `${method} ${path}`, status, headers };
    }),
  );
});
afterAll(() => panel.close());

// The declaration at the route is what sets one of the two headers, before anything that was sent is looked at.
test("every route below /api declares who may call it", () => {
  const undeclared = answers.filter(
    ({ headers }) => headers.get("cache-control") !== "no-store" && headers.get("access-control-allow-origin") !== "*",
  );
  expect(answers.length).toBeGreaterThan(30);
  expect(undeclared.map(({ call }) => call)).toEqual([]);
});

test("every route below /api/admin and /api/reseller asks for a session first", () => {
  const open = answers.filter(({ call, status }) => /^\w+ \/api\/(admin|reseller)\//.test(call) && status !== 401);
  expect(open.map(({ call }) => call)).toEqual([]);
});
