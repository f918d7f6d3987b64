import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, createStaff, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { createLink, sell } from "../../tests/shop-link.ts";
import { withoutTriggers } from "../db/append-only.ts";
import { contentRules } from "../db/copies/content-rules.ts";
import { eraseReseller } from "./erasure.ts";

/** A name in which LIKE has a wildcard, and one that it would find. */
const name = "night_owl";
const otherName = "night.owl";
const address = "203.0.113.7";
const game = "FREE FIRE";

let panel: Panel;
let admin: Client;
let id: number;
let otherBefore: unknown[];
let rowsBefore: number;
let keyText: string;

beforeAll(async () => {
  panel = await openPanel({ behindProxy: true });
  admin = await signInAdmin(panel.newClient);
  const webhook = { kind: "standard", url: "https://example.com", events: ["order.created"] };
  await admin.post("/api/admin/webhooks", webhook);
  ({ id, keyText } = await live(name, address));
  await live(otherName, "203.0.113.8");
  await expect(erase(name)).rejects.toThrow(`${name} is not suspended. Suspend the reseller first.`);
  for (const { id } of (await admin.get("/api/admin/resellers")).body) {
    await admin.post(`/api/admin/resellers/${id}/toggle-status`, { isActive: false });
  }
  await admin.get(`/api/admin/audit?format=csv&actor=${name}`);
  expect(await rowsAbout(address)).not.toEqual([]);
  otherBefore = await rowsAbout(otherName);
  rowsBefore = (await rowsAbout("")).length;
  await erase("Night_OWL");
});
afterAll(() => panel.close());

/** Does everything that leaves a reseller's name or address in the database. */
async function live(username: string, from: string) {
  const newClient = () => panel.newClient(from);
  const reseller = await registerReseller(newClient, admin, { username, credits: 50 });
  const webhook = { kind: "standard", url: `https://example.com/${username}`, events: ["order.created"] };
  await reseller.post("/api/reseller/webhooks", webhook);
  await sell(newClient(), await createLink(reseller, "reseller"), username, 99);
  await panel.server.sales.write();
  for (const which of ["aide", "former"]) {
    const form = { username: `${username}.${which}`, rights: ["credits:read"] };
    const staff = await createStaff(newClient, reseller, "reseller", form);
    await staff.get("/api/reseller/ledger?format=csv");
    await newClient().post("/api/auth/reseller/login", { username: form.username, password: "wrong-password" });
    if (which === "former") await reseller.call("DELETE", `/api/reseller/staff/${staff.id}`);
  }
  await newClient().post("/api/auth/reseller/login", { username, password: "wrong-password" });
  await panel.failedSignIns.write();
  const { body } = await reseller.post("/api/reseller/keys/generate", { game, deviceLimit: 1, days: 30, count: 3 });
  const [first, second, third] = body.keys;
  await reseller.post(`/api/reseller/keys/${first.id}/revoke`);
  await admin.call("DELETE", `/api/admin/keys/${second.id}`);
  await admin.post("/api/admin/keys/selected/download", { format: "csv", resellerId: reseller.id });
  await admin.get(`/api/admin/resellers/${reseller.id}/ledger?format=csv`);
  await reseller.get("/api/reseller/ledger?format=csv");
  const file = `key,game,expires,owner\nOLD-1,${game},2099-01-31,${username.toUpperCase()}`;
  await admin.post("/api/admin/imports?dryRun=true", file, { "content-type": "text/csv" });
  await reseller.post("/api/auth/two-factor", { password: "test-reseller-password" });
  return { id: reseller.id, keyText: third.keyString as string };
}

function erase(username: string) {
  return panel.database.transaction(null, ({ sql }) =>
    withoutTriggers(sql, { isPostgres: panel.database.file === null }, () =>
      eraseReseller(sql, { username, at: panel.clock.now }),
    ),
  );
}

/** The audit log's rows with this text. */
async function rowsAbout(text: string): Promise<unknown[]> {
  const { body } = await admin.get("/api/admin/audit?limit=200");
  return body.filter((row: object) => JSON.stringify(row).includes(text));
}

test("the name and the address of an erased reseller are nowhere in the database", async () => {
  const { read, file } = panel.database;
  const tables = await (file === null
    ? read<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`
    : read<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  // Where the limits are counted until their windows close.
  for (const table of tables.map((row) => row.name).filter((table) => table !== "rate_limits")) {
    const rows = JSON.stringify(await read`SELECT * FROM ${{ strings: [table], values: [] }}`);
    expect({
      table,
      isNamed: rows.toLowerCase().includes(name.toLowerCase()),
      isLocated: rows.includes(address),
    }).toEqual({
      ...{ table, isNamed: false, isLocated: false },
    });
  }
  for (const table of ["sessions", "known_addresses", "two_factor"]) {
    expect(await read`SELECT * FROM ${{ strings: [table], values: [] }} WHERE account_id = ${id}`).toEqual([]);
  }
});

test("what an erased reseller did stays under another name", async () => {
  const erased = `erased-${id}`;
  expect((await admin.get(`/api/admin/resellers/${id}`)).body).toMatchObject({ username: erased, totalKeys: 3 });
  expect((await rowsAbout("")).length).toBe(rowsBefore);
  const { body } = await admin.get(`/api/admin/audit?limit=200&actor=${erased}`);
  expect(body.map(({ action }: { action: string }) => action)).toEqual([
    "data_downloaded",
    "key_revoked",
    "keys_generated",
    ...["staff_removed", "staff_created", "staff_created", "shop_link_created", "webhook_created"],
    "signed_in",
    "registered",
  ]);
  expect(await rowsAbout(`"owner":"${erased}"`)).toHaveLength(2);
  for (const target of [`credits of ${erased}`, `keys of ${erased}`, `reseller ${erased}`]) {
    expect((await rowsAbout(`"target":"${target}"`)).length).toBeGreaterThan(0);
  }
  const verdict = await panel.newClient().post("/api/verify", { key: keyText, deviceId: "phone", game });
  expect(verdict.body.code).toBe("VALID");
  const [ledger] = (await admin.get(`/api/admin/resellers/${id}/ledger`)).body;
  expect(ledger).toMatchObject({ reason: "key_purchase", amount: -9, by: erased });
});

test("admins' addresses and other resellers stay as they were, and the tables are append-only again", async () => {
  expect(await rowsAbout(otherName)).toEqual(otherBefore);
  const { write, read } = panel.database;
  const suspended = await read<{ address: string | null }>`
    SELECT address FROM audit WHERE action = 'reseller_suspended'`;
  expect(suspended.map((row) => row.address)).not.toContain(null);
  await expect(write`UPDATE audit SET target = 'x'`).rejects.toThrow();
  await expect(write`UPDATE credit_ledger SET note = 'x'`).rejects.toThrow();
  for (const { broken, problem } of contentRules) {
    expect([problem, await read`${{ strings: [broken], values: [] }}`]).toEqual([problem, []]);
  }
});

test("an erased reseller cannot sign in, and the name is free again", async () => {
  await expect(erase(name)).rejects.toThrow(`There is no reseller ${name}.`);
  await admin.post(`/api/admin/resellers/${id}/toggle-status`, { isActive: true });
  for (const username of [name, `erased-${id}`]) {
    const login = { username, password: "test-reseller-password" };
    expect((await panel.newClient(address).post("/api/auth/reseller/login", login)).status).toBe(401);
  }
  const again = await registerReseller(() => panel.newClient(address), admin, { username: name, credits: 1 });
  expect((await again.get("/api/reseller/profile")).body).toMatchObject({ username: name, credits: 1 });
});
