import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, createStaff, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { parallel } from "../../../tests/parallel.ts";
import { msPerDay } from "../../core/clock.ts";

const password = "test-reseller-password";

let panel: Panel;
let admin: Client;
let serial = 0;
const nextName = () => `name.${++serial}`;
const freshOwner = () => registerReseller(panel.newClient, admin, { username: nextName(), credits: 100 });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const buy = (client: Client, more = {}) =>
  client.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 1, ...more });

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

test("credits a day count what it spent since the day began, also before there was a limit", async () => {
  const reseller = await freshOwner();
  const form = { username: nextName(), rights: ["keys:order"] };
  const helper = await createStaff(panel.newClient, reseller, "reseller", form);
  await buy(helper, { count: 2 });
  await buy(reseller, { count: 9 });
  await reseller.call("PUT", `/api/reseller/staff/${helper.id}`, { creditsPerDay: 9, password });
  const refused = await buy(helper, { count: 2 });
  expect(codeOf(refused)).toEqual([429, "CREDITS_PER_DAY_SPENT"]);
  expect(refused.headers.get("retry-after")).toBe(String((9 * 60 + 30) * 60));
  expect((await buy(helper)).status).toBe(201);
  expect((await buy(helper)).status).toBe(429);
  panel.clock.now += msPerDay;
  expect((await buy(helper, { count: 3 })).status).toBe(201);
});

test("a reseller has at most 20 staff accounts, without removed ones, and of one name one", async () => {
  const reseller = await freshOwner();
  const create = (username: string) =>
    reseller.post("/api/reseller/staff", { username, rights: ["keys:read"], password });
  const same = await parallel(3, (index) => create(index === 0 ? "Same.Name" : "same.name"));
  expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const made = await parallel(22, () => create(nextName()));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(codeOf(await create(nextName()))).toEqual([409, "TOO_MANY_STAFF"]);
  const [{ id }] = (await reseller.get("/api/reseller/staff")).body;
  await reseller.call("DELETE", `/api/reseller/staff/${id}`);
  expect((await create(nextName())).status).toBe(201);
});

test("taken usernames count with the reseller's taken custom keys, and not for its staff", async () => {
  const limited = await openPanel({ rateLimits: true });
  const reseller = await registerReseller(limited.newClient, await signInAdmin(limited.newClient), {
    ...{ username: "night.owl", credits: 100 },
  });
  const form = { username: "helper", rights: ["keys:order"] };
  const helper = await createStaff(limited.newClient, reseller, "reseller", form);
  const create = (username: string) =>
    reseller.post("/api/reseller/staff", { username, rights: ["keys:read"], password });
  await buy(reseller, { keyString: "TAKEN-KEY" });
  for (let count = 0; count < 10; count += 1) {
    expect((await create("helper")).body.code).toBe("USERNAME_TAKEN");
    expect((await buy(reseller, { keyString: "TAKEN-KEY" })).body.code).toBe("KEY_TAKEN");
  }
  expect(codeOf(await create("another"))).toEqual([429, "TOO_MANY_TRIES"]);
  expect((await buy(helper, { keyString: "TAKEN-KEY" })).body.code).toBe("KEY_TAKEN");
  await limited.close();
});

test("the staff of a reseller shares one count of changes, beside the reseller's own", async () => {
  const limited = await openPanel({ rateLimits: true });
  const reseller = await registerReseller(limited.newClient, await signInAdmin(limited.newClient), {
    ...{ username: "night.owl", credits: 100 },
  });
  const [first, second] = [
    await createStaff(limited.newClient, reseller, "reseller", { username: "first", rights: ["keys:manage"] }),
    await createStaff(limited.newClient, reseller, "reseller", { username: "second", rights: ["keys:manage"] }),
  ];
  const { orderId } = (await buy(reseller)).body;
  const note = (client: Client, text: number) =>
    client.call("PUT", `/api/reseller/orders/${orderId}/note`, { note: `Note ${text}` });
  for (let text = 0; text < 600; text += 1) expect((await note(first, text)).status).toBe(200);
  expect(codeOf(await note(second, 600))).toEqual([429, "TOO_MANY_TRIES"]);
  expect((await note(reseller, 600)).status).toBe(200);
  expect((await reseller.call("DELETE", `/api/reseller/staff/${first.id}`)).status).toBe(200);
  await limited.close();
});
