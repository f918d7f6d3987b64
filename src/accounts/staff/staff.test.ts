import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createStaff, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { adminLogin } from "../../../tests/process.ts";

const password = "test-reseller-password";
const adminPassword = adminLogin.password;

let panel: Panel;
let admin: Client;
let owner: ResellerClient;
const newClient = () => panel.newClient();

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(newClient);
  owner = await registerReseller(newClient, admin, { username: "night.owl", credits: 100 });
});
afterAll(() => panel.close());

let serial = 0;
const nextName = () => `helper.${++serial}`;
const helperOf = (reseller: Client, rights: string[], more = {}) =>
  createStaff(newClient, reseller, "reseller", { username: nextName(), rights, ...more });
const freshOwner = (credits = 100) => registerReseller(newClient, admin, { username: `owner.${++serial}`, credits });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const buy = (client: Client, more = {}) =>
  client.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 1, ...more });
const newestRow = async () => (await admin.get("/api/admin/audit?limit=1")).body[0];

describe("a staff account", () => {
  test("is made with a random password that is shown once, and listed oldest first", async () => {
    const reseller = await freshOwner();
    const form = { username: nextName(), rights: ["keys:manage", "keys:read"], creditsPerDay: 5, password };
    const made = await reseller.post("/api/reseller/staff", form);
    expect(made.status).toBe(201);
    const { newPassword, ...row } = made.body;
    expect(row).toEqual({
      ...{ id: row.id, username: form.username, rights: ["keys:read", "keys:manage"], creditsPerDay: 5 },
      ...{ isActive: true, hasTwoFactor: false, createdAt: "2025-03-05T14:30:00.000Z", lastSeenAt: null },
    });
    expect(await newestRow()).toMatchObject({
      ...{ action: "staff_created", target: `staff ${form.username}`, actor: { username: reseller.username } },
      details: { rights: "keys:read keys:manage", creditsPerDay: 5 },
    });
    const staff = newClient();
    const signedIn = await staff.post("/api/auth/reseller/login", { username: form.username, password: newPassword });
    const user = {
      ...{ id: row.id, username: form.username, role: "reseller", rights: row.rights },
      owner: { id: reseller.id, username: reseller.username },
    };
    expect(signedIn.body.user).toEqual(user);
    expect((await staff.get("/api/auth/session")).body.user).toEqual(user);
    expect((await newestRow()).details).toEqual({ staffOf: reseller.username });
    const second = await helperOf(reseller, ["keys:read"]);
    const listed = (await reseller.get("/api/reseller/staff")).body;
    expect(listed.map(({ id }: { id: number }) => id)).toEqual([row.id, second.id]);
    expect(listed[0].lastSeenAt).toBe("2025-03-05T14:30:00.000Z");
    expect((await owner.get("/api/reseller/staff")).body).toEqual([]);
  });

  test("needs its owner's password, known rights and a free name", async () => {
    const form = { username: nextName(), rights: ["keys:read"], password };
    const made = async (more: object) => {
      const { status, body } = await owner.post("/api/reseller/staff", { ...form, ...more });
      return [status, body.code, body.errors?.[0]?.path];
    };
    expect(await made({ password: "wrong" })).toEqual([401, "WRONG_CREDENTIALS", undefined]);
    expect(await made({ password: undefined })).toEqual([422, "INVALID", "password"]);
    for (const rights of [[], ["verify"], ["stats:read"], ["keys:read", "keys:read"], "keys:read", undefined])
      expect(await made({ rights })).toEqual([422, "INVALID", "rights"]);
    expect(await made({ creditsPerDay: 0.25 })).toEqual([422, "INVALID", "creditsPerDay"]);
    expect(await made({ username: "Night.Owl" })).toEqual([409, "USERNAME_TAKEN", "username"]);
    const ofAdmins = { ...form, username: nextName(), password: adminPassword, creditsPerDay: 5 };
    expect((await admin.post("/api/admin/staff", ofAdmins)).body.errors[0].path).toBe("creditsPerDay");
  });

  test("acts for its owner", async () => {
    const reseller = await freshOwner();
    const helper = await helperOf(reseller, ["keys:order", "keys:read", "credits:read", "keys:manage"]);
    expect(codeOf(await buy(helper, { resellerId: helper.id }))).toEqual([403, "FORBIDDEN"]);
    const bought = await buy(helper, { resellerId: reseller.id });
    expect(bought.body.credits).toBe(97);
    const [key] = bought.body.keys;
    expect((await reseller.get(`/api/reseller/keys/${key.id}`)).status).toBe(200);
    expect((await reseller.get("/api/reseller/orders")).body[0].by).toBe(helper.username);
    expect((await helper.get("/api/reseller/ledger")).body[0].by).toBe(helper.username);
    expect((await helper.get("/api/reseller/profile")).body).toMatchObject({
      username: reseller.username,
      credits: 97,
    });
    expect((await helper.post(`/api/reseller/keys/${key.id}/pause`)).status).toBe(200);
    expect(await newestRow()).toMatchObject({
      ...{ action: "key_paused", actor: { id: helper.id, username: helper.username, role: "reseller" } },
      details: { owner: reseller.username, staffOf: reseller.username },
    });
    expect((await reseller.get(`/api/reseller/keys/${key.id}/timeline`)).body.events[0].by).toBe(helper.username);
    const ofOther = (await buy(owner)).body.keys[0];
    expect((await helper.get(`/api/reseller/keys/${ofOther.id}`)).status).toBe(404);
  });

  test("may do what it has a right for, and nothing else", async () => {
    const helper = await helperOf(owner, ["keys:read"]);
    expect((await helper.get("/api/reseller/keys")).status).toBe(200);
    expect((await helper.post("/api/reseller/keys/selected/download", { format: "txt" })).status).toBe(200);
    expect((await helper.get("/api/catalogue")).status).toBe(200);
    expect(codeOf(await helper.get("/api/admin/stats"))).toEqual([403, "FORBIDDEN"]);
    const refused = await helper.post("/api/reseller/keys/generate", { game: 5 });
    expect(codeOf(refused)).toEqual([403, "RIGHT_MISSING"]);
    expect(refused.body.message).toBe("Your account needs the right keys:order for this.");
    expect((await helper.get("/api/reseller/staff")).body.message).toBe("Only full accounts may do this.");
  });

  test("of the admins never resets all devices, whatever its rights", async () => {
    const rights = ["keys:read", "keys:manage", "stats:read"];
    const helper = await createStaff(newClient, admin, "admin", { username: nextName(), rights });
    expect((await helper.get("/api/auth/session")).body.user).toMatchObject({ rights, owner: null });
    expect(codeOf(await helper.post("/api/admin/keys/reset-devices"))).toEqual([403, "RIGHT_MISSING"]);
    expect((await helper.get("/api/admin/stats")).status).toBe(200);
    const other = await signInAdmin(newClient);
    expect((await other.get("/api/admin/staff")).body.map(({ id }: { id: number }) => id)).toContain(helper.id);
  });
});

test("where a reseller is named, staff does not exist", async () => {
  const { id, username } = await helperOf(owner, ["keys:read"]);
  for (const path of ["", "/keys", "/orders", "/ledger"]) {
    expect([path, (await admin.get(`/api/admin/resellers/${id}${path}`)).status]).toEqual([path, 404]);
  }
  const refusals = [
    await admin.post(`/api/admin/resellers/${id}/password`),
    await admin.call("DELETE", `/api/admin/resellers/${id}/sessions`),
    await admin.post(`/api/admin/resellers/${id}/toggle-status`, { isActive: false }),
    await admin.post("/api/admin/resellers/credits", { resellerId: id, amount: 1 }),
    await admin.call("PUT", `/api/admin/resellers/${id}/price-list`, { priceListId: 1 }),
    await admin.post("/api/admin/keys/selected", { resellerId: id }),
    await admin.get(`/api/admin/export?owner=${username}`),
  ];
  expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404));
  const intervention = { kind: "pause", scope: { resellerId: id }, reason: "Outage", dryRun: true };
  expect((await admin.post("/api/admin/interventions", intervention)).status).toBe(404);
  const file = `key,game,expires,owner\nHELPER-1,FREE FIRE,2099-01-31,${username}`;
  const imported = await admin.post("/api/admin/imports?dryRun=true", file, { "content-type": "text/csv" });
  await panel.server.importWork.run();
  expect((await admin.get(`/api/admin/imports/${imported.body.id}`)).body).toMatchObject({ valid: 0, wrong: 1 });
  expect((await admin.get(`/api/admin/search?q=${username}`)).body.resellers).toEqual([]);
});

test("a search leaves out what it has no right for", async () => {
  await admin.post("/api/admin/tokens/generate", { credits: 5, label: "for the owl" });
  const found = async (rights: string[]) => {
    const helper = await createStaff(newClient, admin, "admin", { username: nextName(), rights });
    const { body } = await helper.get("/api/admin/search?q=owl");
    return [body.resellers.length > 0, body.tokens.length > 0];
  };
  expect(await found(["keys:read"])).toEqual([false, false]);
  expect(await found(["keys:read", "resellers:read"])).toEqual([true, false]);
  expect(await found(["keys:read", "tokens:manage"])).toEqual([false, true]);
});

describe("the rights of a staff account", () => {
  test("are changed with the owner's password, and at once", async () => {
    const helper = await helperOf(owner, ["keys:read"]);
    const change = (form: object) => owner.call("PUT", `/api/reseller/staff/${helper.id}`, form);
    expect((await change({ rights: ["credits:read"] })).body.errors[0].path).toBe("password");
    expect((await change({})).body.errors[0].path).toBe("password");
    expect(codeOf(await change({ rights: ["credits:read"], password: "wrong" }))).toEqual([401, "WRONG_CREDENTIALS"]);
    const changed = await change({ rights: ["credits:read"], creditsPerDay: 2, password });
    expect(changed.body).toMatchObject({ rights: ["credits:read"], creditsPerDay: 2, isActive: true });
    expect((await newestRow()).details).toEqual({ rights: "credits:read", creditsPerDay: 2 });
    expect(codeOf(await helper.get("/api/reseller/keys"))).toEqual([403, "RIGHT_MISSING"]);
    expect((await helper.get("/api/reseller/ledger")).status).toBe(200);
    const { id } = await newestRow();
    expect((await change({ rights: ["credits:read"], password })).body.creditsPerDay).toBe(2);
    expect((await newestRow()).id).toBe(id);
    expect((await change({ creditsPerDay: null, password })).body.creditsPerDay).toBeNull();
    expect((await newestRow()).details).toEqual({ creditsPerDay: "" });
  });

  test("are those of the owner's staff only: another id is a 404", async () => {
    const other = await freshOwner();
    const helper = await helperOf(other, ["keys:read"]);
    for (const id of [helper.id, owner.id, other.id, 999_999]) {
      expect((await owner.call("PUT", `/api/reseller/staff/${id}`, { isActive: false })).status).toBe(404);
      expect((await owner.call("DELETE", `/api/reseller/staff/${id}`)).status).toBe(404);
      expect((await owner.post(`/api/reseller/staff/${id}/password`, { password })).status).toBe(404);
      expect((await admin.call("DELETE", `/api/admin/staff/${id}`)).status).toBe(404);
    }
  });
});

describe("a staff account that is switched off", () => {
  test("is signed out, and told so at its next sign-in until it is on again", async () => {
    const helper = await helperOf(owner, ["keys:read"]);
    const path = `/api/reseller/staff/${helper.id}`;
    expect((await owner.call("PUT", path, { isActive: false })).body).toMatchObject({
      isActive: false,
      lastSeenAt: null,
    });
    expect((await helper.get("/api/reseller/keys")).status).toBe(401);
    const { username } = helper;
    const login = { username, password: helper.password };
    const refused = await newClient().post("/api/auth/reseller/login", login);
    expect(codeOf(refused)).toEqual([403, "SWITCHED_OFF"]);
    expect(refused.body.message).toBe("This account is switched off. Please ask its owner.");
    const wrong = { ...login, password: "wrong" };
    expect((await newClient().post("/api/auth/reseller/login", wrong)).body.code).toBe("WRONG_CREDENTIALS");
    expect((await owner.call("PUT", path, { isActive: true })).status).toBe(422);
    expect((await owner.call("PUT", path, { isActive: true, password })).body.isActive).toBe(true);
    expect((await newClient().post("/api/auth/reseller/login", login)).status).toBe(200);
  });

  test("or removed frees its name, and what it did keeps it", async () => {
    const reseller = await freshOwner();
    const helper = await helperOf(reseller, ["keys:order"]);
    await buy(helper);
    expect((await reseller.call("DELETE", `/api/reseller/staff/${helper.id}`)).body.message).toBeString();
    expect(await newestRow()).toMatchObject({ action: "staff_removed", target: `staff ${helper.username}` });
    expect((await helper.get("/api/auth/session")).body.isAuthenticated).toBe(false);
    expect((await reseller.get("/api/reseller/staff")).body).toEqual([]);
    expect((await reseller.get("/api/reseller/ledger")).body[0].by).toBe(helper.username);
    await createStaff(newClient, owner, "reseller", { username: helper.username, rights: ["keys:read"] });
  });

  test("gets a new password, which ends its sessions and turns two-factor off", async () => {
    const helper = await helperOf(owner, ["keys:read"]);
    const reset = (form: object) => owner.post(`/api/reseller/staff/${helper.id}/password`, form);
    expect((await reset({})).status).toBe(422);
    expect((await reset({ password: "wrong" })).status).toBe(401);
    const { newPassword } = (await reset({ password })).body;
    expect(await newestRow()).toMatchObject({ action: "staff_password_reset", details: { sessions: 1 } });
    expect((await helper.get("/api/reseller/keys")).status).toBe(401);
    const login = { username: helper.username, password: newPassword };
    expect((await newClient().post("/api/auth/reseller/login", login)).status).toBe(200);
  });
});

describe("a reseller's suspension", () => {
  test("ends the sessions of its staff, which is told the same", async () => {
    const reseller = await freshOwner();
    const helper = await helperOf(reseller, ["keys:read"]);
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
    expect((await helper.get("/api/reseller/keys")).status).toBe(401);
    const { username } = helper;
    const login = { username, password: helper.password };
    expect(codeOf(await newClient().post("/api/auth/reseller/login", login))).toEqual([403, "SUSPENDED"]);
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
    expect((await newClient().post("/api/auth/reseller/login", login)).status).toBe(200);
  });

  test("is not one of its password by an admin, which switches the staff off, nor an end of sessions", async () => {
    const reseller = await freshOwner();
    const helper = await helperOf(reseller, ["keys:read"]);
    await admin.call("DELETE", `/api/admin/resellers/${reseller.id}/sessions`);
    expect((await helper.get("/api/reseller/keys")).status).toBe(401);
    const { username } = helper;
    const login = { username, password: helper.password };
    expect((await helper.post("/api/auth/reseller/login", login)).status).toBe(200);
    await admin.post(`/api/admin/resellers/${reseller.id}/password`);
    expect((await helper.get("/api/reseller/keys")).status).toBe(401);
    expect(codeOf(await newClient().post("/api/auth/reseller/login", login))).toEqual([403, "SWITCHED_OFF"]);
  });
});
