import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";

let panel: Panel;
let admin: Client;
beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
});
afterEach(() => panel.close());

const openedByPerson = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const busy = "The server is busy or stopping. Nothing was changed; please try again in a moment.";

test("a page that cannot be rendered says why and when to retry; a program receives JSON", async () => {
  panel.renderedPages.close();
  const page = await admin.call("GET", "/admin", undefined, openedByPerson);
  expect([page.status, page.headers.get("retry-after"), page.headers.get("cache-control")]).toEqual([
    503,
    "2",
    "no-store",
  ]);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.headers.get("x-request-id")).not.toBeNull();
  expect(page.text).toContain(busy);
  expect(page.text).toContain('<a href=""');
  expect((await admin.get("/admin")).body).toEqual({ message: busy, code: "BUSY" });
});

test("after a fault a person reads the request's id; a failed API call is always JSON", async () => {
  await panel.database.write`ALTER TABLE sessions RENAME TO elsewhere`;
  const page = await admin.call("GET", "/admin", undefined, openedByPerson);
  expect([page.status, page.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"]);
  expect(page.text).toContain(`See request ${page.headers.get("x-request-id")} in its log.`);
  const call = await admin.call("GET", "/api/admin/stats", undefined, openedByPerson);
  expect([call.status, call.body.code]).toEqual([500, "FAULT"]);
});
