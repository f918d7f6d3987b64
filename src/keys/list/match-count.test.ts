import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { isoOf, msPerDay } from "../../core/clock.ts";
import type { Database } from "../../db/contract.ts";
import { createKeyLists } from "./lists.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "counting", credits: 100 });
  const other = await registerReseller(panel.newClient, admin, { username: "other", credits: 100 });
  await other.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 4 });
  await reseller.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 3 });
  panel.clock.now += 6 * msPerDay;
  const order = { game: "PUBG MOBILE", deviceLimit: 1, days: 30, count: 2 };
  const { keys } = (await reseller.post("/api/reseller/keys/generate", order)).body;
  await reseller.post(`/api/reseller/keys/${keys[0].id}/revoke`);
});
afterAll(() => panel.close());

const counted = async (query: string) =>
  (await reseller.get(`/api/reseller/keys?${query}`)).headers.get("x-match-count");

test("a reseller's list has the number of the reseller's matching keys on every page", async () => {
  expect(await counted("count=true&limit=1")).toBe("5");
  expect(await counted("count=true&limit=1&status=ACTIVE")).toBe("1");
  expect(await counted("count=true&limit=1&status=EXPIRED")).toBe("3");
  expect(await counted("count=true&limit=1&status=REVOKED")).toBe("1");
  expect(await counted("count=true&limit=50")).toBe("5");
  expect(await counted("count=true")).toBe("5");
  expect(await counted("count=true&limit=1&game=PUBG%20MOBILE&search=pbgm")).toBe("2");
});

test("matches are counted only on request, which must be true or false", async () => {
  expect(await counted("limit=1")).toBeNull();
  expect(await counted("limit=1&count=false")).toBeNull();
  expect((await reseller.get("/api/reseller/keys?count=yes")).status).toBe(422);
});

test("an admin list's counts and rows are from one instant", async () => {
  const { database, clock } = panel;
  const order = { game: "FREE FIRE", deviceLimit: 1, count: 1, expiryDate: isoOf(clock.now + msPerDay) };
  const keyMadeMeanwhile: Database = {
    ...database,
    async snapshot(query, given, by) {
      const response = await database.snapshot(query, given, by);
      await admin.post("/api/admin/keys/generate", order);
      return response;
    },
  };
  const listed = (from: Database) =>
    createKeyLists({ database: from, now: () => clock.now }).ofAdmins({ id: 1, role: "admin" }, {});
  expect(await listed(keyMadeMeanwhile)).toEqual({ keys: [], totalCount: 0, matchCount: 0, nextCursor: null });
  expect(await listed(database)).toMatchObject({ keys: [{ status: "ACTIVE" }], totalCount: 1, matchCount: 1 });
});
