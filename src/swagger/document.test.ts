import { afterAll, beforeAll, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Check } from "@sinclair/typebox/value";
import { signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { version } from "../config/program.ts";
import { refusalCodes } from "../core/refusal.ts";
import { Update } from "../updates/schema.ts";
import { DeviceId, Preview, Verdict } from "../verify/schema.ts";

// biome-ignore lint/suspicious/noExplicitAny: the validator, not a type, checks this JSON.
let document: any;
let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
  document = (await panel.newClient().get("/swagger/json")).body;
});
afterAll(() => panel.close());

interface Described {
  call: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  operation: any;
}

function operations(): Described[] {
  return Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
}

const responseOf = (path: string, method: string, status: number) => document.paths[path][method].responses[status];

const schemaOfDeviceId = () =>
  document.paths["/api/verify"].post.requestBody.content["application/json"].schema.properties.deviceId;

test("the document is valid OpenAPI without our own or TypeBox's keywords", async () => {
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  const text = JSON.stringify(document);
  for (const foreign of ['"says"', '"asInteger"', '"x-more"', '"const"', '"type":"null"']) {
    expect(text).not.toContain(foreign);
  }
});

test("it has the version of the program", () => {
  expect(document.info.version).toBe(version);
});

test("it is sent compressed, and as a 304 to those who have it", async () => {
  const get = (headers: Record<string, string>) =>
    panel.app.fetch(new Request("http://localhost/swagger/json", { headers }));
  const [whole, compressed] = await Promise.all([get({}), get({ "accept-encoding": "br, gzip" })]);
  const json = await whole.text();
  const sent = await compressed.bytes();
  expect([compressed.headers.get("content-encoding"), compressed.headers.get("vary")]).toEqual([
    "gzip",
    "Accept-Encoding",
  ]);
  expect(Buffer.from(Bun.gunzipSync(sent)).toString()).toBe(json);
  expect(sent.length).toBeLessThan(json.length / 5);
  const etag = whole.headers.get("etag") ?? "";
  const held = await get({ "if-none-match": etag });
  expect([held.status, await held.text(), held.headers.get("etag")]).toEqual([304, "", etag]);
});

test("it has all routes below /api, and no others", () => {
  const routes = panel.app.routes
    .filter(({ method, path }) => path.startsWith("/api/") && method !== "OPTIONS")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(
    operations()
      .map(({ call }) => call)
      .sort(),
  ).toEqual([...new Set(routes)].sort());
});

test("the calls of game clients are its first group", () => {
  const { name } = document.tags[0];
  const inFirst = operations().filter(({ operation }) => operation.tags.includes(name));
  expect(inFirst.map(({ call }) => call)).toEqual([
    "POST /api/verify",
    "GET /api/verify/{key}/{game}/{deviceId}",
    "POST /api/verify/release",
    "GET /api/updates",
  ]);
});

test("it has all promised calls", () => {
  const promised = [
    "GET /api/auth/session",
    "POST /api/auth/{role}/login",
    "POST /api/auth/logout",
    "POST /api/auth/reseller/register",
    "GET /api/admin/stats",
    "GET /api/admin/resellers",
    "POST /api/admin/resellers/credits",
    "POST /api/admin/resellers/{id}/toggle-status",
    "GET /api/admin/resellers/{id}/keys",
    "DELETE /api/admin/keys/{id}",
    "POST /api/admin/keys/generate",
    "GET /api/admin/keys/manage",
    "POST /api/admin/keys/reset-devices",
    "GET /api/admin/tokens",
    "POST /api/admin/tokens/generate",
    "GET /api/admin/keys/{id}/details",
    "GET /api/admin/online-updates",
    "POST /api/admin/online-updates",
    "PUT /api/admin/online-updates/{id}",
    "DELETE /api/admin/online-updates/{id}",
    "GET /api/admin/backup/collections",
    "GET /api/admin/backup/download/{name}",
    "GET /api/admin/backup/download-all",
    "GET /api/reseller/profile",
    "GET /api/reseller/keys",
    "GET /api/reseller/keys/{id}",
    "POST /api/reseller/keys/generate",
    "POST /api/reseller/keys/{id}/revoke",
    "POST /api/reseller/keys/{id}/devices/{deviceId}/remove",
    "POST /api/verify",
    "GET /api/verify/{key}/{game}/{deviceId}",
    "GET /api/updates",
  ];
  const named = operations().map(({ call }) => call);
  expect(promised.filter((call) => !named.includes(call))).toEqual([]);
});

test("every operation has a unique id, a summary and a tag", () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operation } of operations()) {
    expect(operation).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] });
  }
});

test("every status has a description and an example, and every failure its codes", () => {
  for (const { call, operation } of operations()) {
    for (const [status, response] of Object.entries<{ description: string; content: Record<string, object> }>(
      operation.responses,
    )) {
      expect([call, status, response.description]).toEqual([call, status, expect.stringMatching(/./)]);
      const json = response.content?.["application/json"];
      if (!json) continue;
      expect([call, status, "example" in json || "examples" in json]).toEqual([call, status, true]);
      if (Number(status) < 400) continue;
      const { examples } = json as { examples: Record<string, { value: { code: string } }> };
      for (const [code, { value }] of Object.entries(examples)) {
        expect([...refusalCodes, "FAULT"] as string[]).toContain(code);
        expect(value.code).toBe(code);
      }
    }
  }
});

test("the calls of game clients, whose responses are not validated, have schemas too", () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas.Verdict.properties)).toEqual(Object.keys(Verdict.properties));
  expect(Object.keys(schemas.Preview.properties)).toEqual(Object.keys(Preview.properties));
  expect(Object.keys(schemas.Update.properties)).toEqual(Object.keys(Update.properties));
  const shapeOf = (path: string, method: string) => responseOf(path, method, 200).content["application/json"].schema;
  expect(shapeOf("/api/verify", "post")).toEqual({ $ref: "#/components/schemas/Verdict" });
  expect(shapeOf("/api/verify/{key}/{game}/{deviceId}", "get")).toEqual({ $ref: "#/components/schemas/Preview" });
  expect(shapeOf("/api/updates", "get").items).toEqual({ $ref: "#/components/schemas/Update" });
});

test("every object and list says what is in it, so that generated clients have types for that", () => {
  const bare: unknown[] = [];
  JSON.stringify(document, (_, value) => {
    const isBareObject = value?.type === "object" && !value.properties && !value.additionalProperties;
    if (isBareObject || (value?.type === "array" && !value.items)) bare.push(value);
    return value;
  });
  expect(bare).toEqual([]);
});

test("a shape that is used in several places is named", () => {
  const uses = new Map<string, number>();
  JSON.stringify(document, (_, value) => {
    if (value?.type === "object" && value.properties) {
      const shape = JSON.stringify(value);
      uses.set(shape, (uses.get(shape) ?? 0) + 1);
    }
    return value;
  });
  expect([...uses].filter(([, count]) => count > 1)).toEqual([]);
  for (const name of [
    "AdminKey",
    "ResellerKey",
    "Order",
    "Reseller",
    "Token",
    "LedgerEntry",
    "AuditEntry",
    "Failure",
  ]) {
    expect(document.components.schemas).toHaveProperty(name);
  }
});

test("the documented range of a number is the range that is accepted", async () => {
  const admin = await signInAdmin(panel.newClient);
  const statusOf = async (path: string, name: string, value: number) =>
    (await admin.get(`${path.replace(/\{\w+\}/g, "1")}?${name}=${value}`)).status;
  let ranges = 0;
  for (const { call, operation } of operations().filter(({ call }) => /^GET \/api\/(admin|updates)/.test(call))) {
    const path = call.replace("GET ", "");
    for (const { name, in: place, schema } of operation.parameters ?? []) {
      if (place !== "query" || schema.type !== "integer") continue;
      const { minimum, maximum } = schema;
      for (const value of [minimum, maximum])
        expect([call, await statusOf(path, name, value)]).not.toEqual([call, 422]);
      for (const value of [minimum - 1, maximum + 1]) {
        expect([call, value, await statusOf(path, name, value)]).toEqual([call, value, 422]);
      }
      ranges += 1;
    }
  }
  expect(ranges).toBeGreaterThan(8);
});

test("every text of a body has a documented bound, except those that are only compared or may be cut", () => {
  const unbounded = ["username", "password", "currentPassword", "referralToken", "deviceName", "lang"];
  const { schemas } = document.components;
  for (const { call, operation } of operations()) {
    const body = operation.requestBody?.content["application/json"]?.schema ?? {};
    const { properties = {} } = body.$ref ? schemas[body.$ref.replace(/.*\//, "")] : body;
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    for (const [name, field] of Object.entries<any>(properties)) {
      if (field.type !== "string" || field.enum || field.pattern || field.maxLength) continue;
      expect([call, unbounded]).toEqual([call, expect.arrayContaining([name])]);
    }
  }
});

test("the documented pattern of a device id accepts each id that is accepted", () => {
  const pattern = new RegExp(schemaOfDeviceId().pattern, "u");
  for (const id of ["a", "a3f1c9d2-phone", "é".repeat(128), "📱".repeat(128)]) {
    expect([id, Check(DeviceId, id), pattern.test(id)]).toEqual([id, true, true]);
  }
  for (const id of ["", "two words", "a".repeat(129)]) expect([id, pattern.test(id)]).toEqual([id, false]);
});

test("a call to another host is a documented failure of every call", async () => {
  const elsewhere = await openPanel({ publicUrl: new URL("https://keys.example.com") });
  const verify = new Request("http://other.example/api/verify", { method: "POST" });
  const refused = await elsewhere.app.fetch(verify);
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: "UNKNOWN_HOST", valid: false }]);
  await elsewhere.close();
  for (const { call, operation } of operations()) {
    const { examples } = operation.responses[400].content["application/json"];
    expect([call, Object.keys(examples)]).toEqual([call, expect.arrayContaining(["UNKNOWN_HOST"])]);
  }
});

test("it has the server's address where PUBLIC_URL names it", async () => {
  expect(document).not.toHaveProperty("servers");
  const published = await openPanel({ publicUrl: new URL("https://keys.example.com") });
  const { body } = await published.newClient().get("/swagger/json");
  expect(body.servers).toEqual([{ url: "https://keys.example.com" }]);
  expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true });
  await published.close();
});

test("it says how to make a device id, and what offline means", () => {
  const { description } = document.info;
  const sources = ["ANDROID_ID", "Keychain", "AfterFirstUnlockThisDeviceOnly", "MachineGuid", "IndexedDB"];
  for (const said of [...sources, "SHA-512", "latchkey-device", "`d1.`", "reinstall", "renamed"])
    expect(description).toContain(said);
  expect(description).toContain("**Offline** means no response or a 5xx");
});

test("a body with a required field is required, and a failed verification has valid: false", () => {
  const bodyOf = (path: string) => document.paths[path]?.post?.requestBody;
  expect(bodyOf("/api/admin/tokens/generate")?.required).toBeFalse();
  expect(bodyOf("/api/verify")?.required).toBeTrue();
  expect(bodyOf("/api/admin/imports")).toMatchObject({ required: true, content: { "text/csv": expect.anything() } });
  const failure = document.paths["/api/verify"]?.post?.responses?.["422"]?.content?.["application/json"];
  expect(failure).toMatchObject({
    schema: { allOf: [{ $ref: "#/components/schemas/VerdictFailure" }] },
    examples: { INVALID: { value: { valid: false, code: "INVALID" } } },
  });
});

test("a nullable enumeration lists null", () => {
  const enums: unknown[][] = [];
  JSON.stringify(document, (_, value) => {
    if (value?.nullable === true && value.enum) enums.push(value.enum);
    return value;
  });
  expect(enums.length).toBeGreaterThan(0);
  for (const values of enums) expect(values).toContain(null);
});

test("every call says whether it needs a session, and whether an API key will do", () => {
  for (const { call, operation } of operations()) {
    const guarded = /^\w+ \/api\/(admin|reseller|catalogue|games|auth\/(password|sessions|two-factor))\b/.test(call);
    const named = (operation.security ?? [{}]).flatMap(Object.keys);
    expect([call, named.includes("session")]).toEqual([call, guarded]);
    expect([call, named.includes("apiKey")]).toEqual([call, operation["x-scope"] !== null]);
  }
});

test("the document does not depend on the calls before it", async () => {
  const later = await openPanel();
  expect((await later.newClient().get("/swagger/json")).body).toEqual(document);
  await later.close();
});

test("the session's cookie has the names that it has on https and on http", () => {
  const { securitySchemes } = document.components;
  const names = Object.values<{ name: string }>(securitySchemes).map(({ name }) => name);
  expect(names).toEqual(["__Host-session", "session"]);
  const { security } = document.paths["/api/reseller/profile"].get;
  expect(security.flatMap(Object.keys)).toEqual(Object.keys(securitySchemes));
});

test("the page loads nothing from elsewhere", async () => {
  const page = await panel.newClient().get("/swagger");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(sources.length).toBeGreaterThan(2);
  for (const address of sources) expect(address).toMatch(/^\/(?!\/)/);
});
