import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

const path = "/api/admin/online-updates";

describe("an update", () => {
  test("is active by default, and empty optional fields are left out", async () => {
    const { status, body } = await admin.post(path, {
      title: " Hello ",
      message: "World",
      buttonText: "",
      linkUrl: " ",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      title: "Hello",
      message: "World",
      isActive: true,
      createdAt: "2025-03-05T14:30:00.000Z",
      updatedAt: "2025-03-05T14:30:00.000Z",
    });
  });

  test("keeps its time of creation when it is changed, even if the clock was set back", async () => {
    const link = { buttonText: "More", linkUrl: "https://example.com/a?b=1&c='2'" };
    const { body: created } = await admin.post(path, { title: "Quote's", message: `<b>"&`, ...link });
    expect(created).toMatchObject({ title: "Quote's", message: `<b>"&`, ...link });
    panel.clock.now -= msPerDay;
    const changed = await admin.call("PUT", `${path}/${created.id}`, {
      title: "New",
      message: "Text",
      isActive: false,
    });
    expect(changed.body).toMatchObject({
      title: "New",
      isActive: false,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
    });
    expect(changed.body).not.toHaveProperty("linkUrl");
    panel.clock.now += 2 * msPerDay;
    const again = await admin.call("PUT", `${path}/${created.id}`, { title: "New", message: "Text" });
    expect(again.body).toMatchObject({ isActive: true, updatedAt: "2025-03-06T14:30:00.000Z" });
  });

  test("can be deleted once, and then is a 404", async () => {
    const { body } = await admin.post(path, { title: "Short", message: "lived" });
    expect((await admin.call("DELETE", `${path}/${body.id}`)).body).toEqual({
      message: "Update deleted successfully!",
    });
    expect((await admin.call("DELETE", `${path}/${body.id}`)).status).toBe(404);
    expect((await admin.call("PUT", `${path}/${body.id}`, { title: "t", message: "m" })).status).toBe(404);
  });
});

test("clients see only active updates, newest first, and by page on request", async () => {
  for (const title of ["one", "two", "three"])
    await admin.post(path, { title, message: "m", isActive: title !== "two" });
  const titles = (body: { title: string }[]) => body.map(({ title }) => title);
  const client = panel.newClient();
  expect(titles((await client.get("/api/updates")).body).slice(0, 2)).toEqual(["three", "one"]);
  const page = await client.get("/api/updates?limit=1");
  expect(titles(page.body)).toEqual(["three"]);
  const next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? "";
  expect(titles((await client.get(next)).body)).toEqual(["one"]);
});
