import { afterAll, beforeAll, expect, test } from "bun:test";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { createAccess } from "./access.ts";

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

test("a verification without an API key is read at once, with no promise and no statement before it", () => {
  const looked: string[] = [];
  const apiKeys = { authenticate: (key: string) => Promise.reject(looked.push(key)) };
  const dependencies = { apiKeys, clients: {}, cookies: {}, createPace: () => null } as unknown as Parameters<
    typeof createAccess
  >[0];
  const { verifierOf } = createAccess(dependencies);
  const call = (headers: Record<string, string>) => new Request("http://localhost/api/verify", { headers });
  for (const authorization of ["Bearer other", "Basic lk_YTpi", ""])
    expect(verifierOf(call({ authorization }))).toBeNull();
  expect(verifierOf(call({}))).toBeNull();
  expect(looked).toEqual([]);
});

test("a session that ends while its request waits for its turn is over", async () => {
  const viewer = { id: 7, username: "night.owl", role: "reseller", sessionId: 70 };
  let found: typeof viewer | null = viewer;
  const { viewerOf } = createAccess({
    clients: {},
    cookies: { sessionSecretIn: async () => "secret" },
    sessions: { viewer: async () => found },
    createPace: () => async (id: number) => {
      expect(id).toBe(7);
      found = null;
      return true;
    },
  } as unknown as Parameters<typeof createAccess>[0]);
  expect(await viewerOf(new Request("http://localhost/api/auth/session"))).toBeNull();
});
