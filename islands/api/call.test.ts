import { afterEach, expect, test } from "bun:test";
import type { AdminKeyDetail } from "../../src/keys/schema.ts";
import type { Update } from "../../src/updates/schema.ts";
import { noKeyRefund, startedKey } from "../../tests/key-times.ts";
import { call, queryOf } from "./api.ts";
import { restoreFetch, stubFetch } from "./fetch-stub.ts";
import { listOf } from "./list.ts";
import { putRow } from "./paged-rows.ts";

afterEach(restoreFetch);

const createdAt = "2025-03-05T12:00:00.000Z";
const update: Update = { id: 1, title: "News", message: "Hello", isActive: true, createdAt, updatedAt: createdAt };
const detail: AdminKeyDetail = {
  id: 7,
  keyString: "FIRE-7",
  game: "FREE FIRE",
  status: "ACTIVE",
  deviceLimit: 2,
  deviceCount: 0,
  orderId: null,
  note: null,
  createdAt,
  expiryDate: createdAt,
  ...startedKey,
  isRevoked: false,
  daysRemaining: 30,
  createdBy: "margaret",
  ownerId: null,
  owner: null,
  revokedAt: null,
  revokedBy: null,
  devices: [],
  history: [],
  ...noKeyRefund,
  pauseNote: null,
  pausedBy: null,
};

test("a call goes to the path in its name, with its parameters, and returns the response of its route", async () => {
  const { calls } = stubFetch({
    "GET /api/admin/keys/:id/details": ({ params }) => ({ ...detail, id: Number(params.id) }),
    "GET /api/updates": () => [update],
  });
  const key: AdminKeyDetail = await call("GET /api/admin/keys/:id/details", { params: { id: 7 } });
  const [published]: Update[] = await call("GET /api/updates", { query: { limit: 1 } });
  expect([key, published]).toEqual([detail, update]);
  expect(calls()).toEqual(["GET /api/admin/keys/7/details", "GET /api/updates?limit=1"]);
});

test("a query is cached under its path and its query string", () => {
  expect(queryOf("GET /api/admin/keys/:id/details", { params: { id: 7 } }).queryKey).toEqual([
    "/api/admin/keys/7/details",
  ]);
  expect(queryOf("GET /api/updates", { query: { limit: 1 } }).queryKey).toEqual(["/api/updates", { limit: 1 }]);
});

/** Held by `bun check`: where one of these lines is no error any more, its mark is one. */
test("a path, a part or a field that the server does not know is a type error, and fails", async () => {
  stubFetch();
  const login = { username: "margaret", password: "secret-secret" };
  const refused = [
    // @ts-expect-error: there is no such path.
    call("GET /api/admin/statistics"),
    // @ts-expect-error: its method is another.
    call("POST /api/admin/stats"),
    // @ts-expect-error: it returns a file, which `download` fetches.
    call("GET /api/admin/backup/download-all"),
    // @ts-expect-error: its path needs an id.
    call("DELETE /api/admin/keys/:id"),
    // @ts-expect-error: the parameter is called id.
    call("DELETE /api/admin/keys/:id", { params: { keyId: 7 } }),
    // @ts-expect-error: there is no such role.
    call("POST /api/auth/:role/login", { params: { role: "owner" }, body: login }),
    // @ts-expect-error: it needs a body.
    call("POST /api/admin/resellers/credits"),
    // @ts-expect-error: the field is called amount.
    call("POST /api/admin/resellers/credits", { body: { resellerId: 2, credits: 5 } }),
    // @ts-expect-error: an amount is a number.
    call("POST /api/admin/resellers/credits", { body: { resellerId: 2, amount: "5" } }),
    // @ts-expect-error: it takes no body.
    call("POST /api/auth/logout", { body: { role: "admin" } }),
    // @ts-expect-error: there is no such filter.
    call("GET /api/admin/tokens", { query: { find: "owl" } }),
    // @ts-expect-error: no token has such a status.
    listOf("GET /api/admin/tokens").getPage({ status: "lost", limit: 1 }, new AbortController().signal),
  ];
  for (const result of await Promise.allSettled(refused)) {
    expect(result).toMatchObject({ status: "rejected", reason: { message: "The server cannot be reached." } });
  }
});

test("a field that the server does not return is a type error, and is undefined", async () => {
  stubFetch({
    "GET /api/admin/keys/:id/details": () => detail,
    "GET /api/updates": () => [update],
    // @ts-expect-error: the server returns another shape.
    "GET /api/admin/tokens": () => [update],
  });
  const key = await call("GET /api/admin/keys/:id/details", { params: { id: "7" } });
  // @ts-expect-error: the field is called keyString.
  expect(key.key).toBeUndefined();
  const [published] = await call("GET /api/updates");
  // @ts-expect-error: the field is called message.
  expect(published?.text).toBeUndefined();
  // @ts-expect-error: an update is no row of a list of tokens.
  putRow(listOf("GET /api/admin/tokens"), update);
});
