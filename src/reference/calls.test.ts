import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FormatRegistry, type TObject } from "@sinclair/typebox";
import { Check } from "@sinclair/typebox/value";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { publicTag } from "../http/describe.ts";
import { exampleUpdate } from "../http/examples.ts";
import { Update, UpdateListQuery } from "../updates/schema.ts";
import { Preview, Verdict, VerifyRequest, verdictCodes } from "../verify/schema.ts";
import { type Call, exampleRequest, type Field, failureOutcomes, languageIds, placeholder } from "./call.ts";
import { previewCall } from "./preview-call.ts";
import { updatesCall } from "./updates-call.ts";
import { verdictFields, verifyCall } from "./verify-call.ts";

FormatRegistry.Set("date-time", (text) => new Date(text).toISOString() === text);

const calls: Call[] = [verifyCall, previewCall, updatesCall];

const documented: [Call, TObject, unknown][] = [
  [verifyCall, Verdict, verifyCall.response],
  [previewCall, Preview, previewCall.response],
  [updatesCall, Update, (updatesCall.response as unknown[])[0]],
];

const namesOf = (fields: Field[]) => fields.map(({ name }) => name).sort();

const optionalOf = (fields: Field[]) => namesOf(fields.filter(({ optional }) => optional));

const optionalIn = (schema: TObject) =>
  Object.keys(schema.properties)
    .filter((name) => !schema.required?.includes(name))
    .sort();

test.each(documented)(
  "the documented response matches the schema: each field, its type and whether it is optional",
  (call, schema, example) => {
    expect(Check(schema, example)).toBe(true);
    expect(namesOf(call.fields)).toEqual(Object.keys(schema.properties).sort());
    expect(optionalOf(call.fields)).toEqual(optionalIn(schema));
    for (const { name, type } of call.fields) expect(`${name}: ${type}`).toBe(`${name}: ${typeIn(schema, name)}`);
  },
);

test("the example request passes validation, and its parameters are documented in its order", () => {
  expect(Check(VerifyRequest, exampleRequest)).toBe(true);
  expect(verifyCall.parameters.map(({ name }) => name)).toEqual([
    ...Object.keys(exampleRequest),
    ...["version", "deviceName", "lang", "nonce"],
  ]);
  expect(optionalOf(verifyCall.parameters)).toEqual(optionalIn(VerifyRequest));
  const inPath = previewCall.parameters.filter(({ type }) => type.endsWith("in the path"));
  expect(inPath.map(({ name }) => `{${name}}`).join("/")).toBe("{key}/{game}/{deviceId}");
});

test("the updates' query is documented, and apart from it only a header", () => {
  const query = updatesCall.parameters.filter(({ type }) => type.endsWith("in the query"));
  expect(namesOf(query)).toEqual(Object.keys(UpdateListQuery.properties).sort());
  expect(updatesCall.parameters.filter((field) => !query.includes(field)).map(({ name }) => name)).toEqual([
    "If-None-Match",
  ]);
});

test("every game in the documentation is accepted, and the second is called LAST ISLAND", () => {
  const described = verifyCall.parameters.find(({ name }) => name === "game")?.description ?? "";
  const [, names = ""] = /such as (.+)\.$/.exec(described) ?? [];
  const named = names.split(/, | or /);
  expect(named).toEqual(["PUBG MOBILE", "LAST ISLAND", "FREE FIRE"]);
  for (const game of named) expect(Check(VerifyRequest, { ...exampleRequest, game })).toBe(true);
});

test("the description of the verdict names every code", () => {
  const described = verdictFields.find(({ name }) => name === "code")?.description ?? "";
  for (const code of verdictCodes) expect(described).toContain(code);
});

test("every possible failure of a call says what to do", () => {
  const explained = failureOutcomes.flatMap(({ statuses }) => statuses);
  for (const { failures } of calls) expect(failures.filter((status) => !explained.includes(status))).toEqual([]);
});

test("each request and sample has the placeholder, whose domain cannot be registered", () => {
  expect(placeholder).toEndWith(".example");
  for (const { request, samples } of calls) {
    for (const text of [request, ...Object.values(samples)]) expect(text.split(placeholder)).toHaveLength(2);
    expect(samples.javascript).toStartWith(`const API_URL = "${placeholder}";`);
  }
});

/** How each language escapes a text in a path: a space becomes %20, not the plus of form encoding. */
const escapesPath = {
  curl: "%20",
  javascript: "encodeURIComponent",
  kotlin: "Uri.encode(",
  swift: "addingPercentEncoding",
  csharp: "Uri.EscapeDataString(",
  cpp: "curl_easy_escape(",
};

test.each(languageIds)("in %s each call has the same path, method, fields and content type", (language) => {
  for (const { method, path, samples } of calls) {
    expect(samples[language]).toContain(path.replace(/\/\{.*/, ""));
    expect(/POST|PostAsync|-d '/.test(samples[language])).toBe(method === "POST");
  }
  const verifySample = verifyCall.samples[language];
  for (const [field, text] of Object.entries(exampleRequest)) {
    expect(verifySample).toMatch(new RegExp(`\\b${field}\\b`));
    expect(verifySample).toContain(text);
  }
  expect(verifySample).toContain("application/json");
  expect(previewCall.samples[language]).toContain(escapesPath[language]);
});

test("a verification that fails says in every language when to try again", () => {
  const reads = (sample: string) => /Retry-After|RetryAfter|RETRY_AFTER|--retry/.test(sample);
  for (const { samples } of [verifyCall, previewCall]) {
    expect(languageIds.filter((language) => !reads(samples[language]))).toEqual([]);
  }
});

/** The instant of the examples, at which a test's panel starts. */
const exampleExpiry = "2025-04-04T14:30:00.000Z";

describe("on the real application", () => {
  let panel: Panel;
  let admin: Client;
  beforeAll(async () => {
    panel = await openPanel();
    admin = await signInAdmin(panel.newClient);
    const { key, game } = exampleRequest;
    const order = { game, deviceLimit: 2, expiryDate: exampleExpiry, keyString: key, count: 1 };
    expect((await admin.post("/api/admin/keys/generate", order)).status).toBe(201);
    const { id, createdAt, updatedAt, ...form } = exampleUpdate;
    expect((await admin.post("/api/admin/online-updates", form)).status).toBe(201);
  });
  afterAll(() => panel.close());

  test("each documented request, sent literally, returns the documented response", async () => {
    for (const call of [verifyCall, previewCall, updatesCall]) {
      const response = await panel.app.fetch(sentBy(call.request));
      expect([response.status, await response.json()]).toEqual([200, call.response]);
    }
  });

  test("each JavaScript sample, run with the server's address, gets the documented response", async () => {
    for (const call of [verifyCall, previewCall, updatesCall]) {
      expect(await run(call.samples.javascript, async (request) => panel.app.fetch(request))).toEqual(call.response);
    }
  });

  test("/swagger documents the same calls at the linked addresses, with examples and failures", async () => {
    const { paths } = (await panel.newClient().get("/swagger/json")).body;
    for (const { method, path, operationId, response, failures } of calls) {
      const { responses, ...operation } = paths[path][method.toLowerCase()];
      expect(operation).toMatchObject({ operationId, tags: [publicTag] });
      expect(responses[200].content["application/json"].example).toEqual(response);
      const documented = Object.keys(responses).map(Number);
      expect(documented.filter((status) => status >= 400)).toEqual(failures);
    }
  });
});

/** Parses a documented request: the first line, headers, an empty line and a body. */
function sentBy(request: string): Request {
  const [head = "", body] = request.split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  const [method = "", address = ""] = first.split(" ");
  const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
  return new Request(address.replace(placeholder, "http://localhost"), { method, headers, body });
}

/** Runs a sample and returns what its call returned. Its output is for people who copy it. */
function run(sample: string, send: (request: Request) => Promise<Response>): Promise<unknown> {
  const [, result] = /^const (\w+) = await/m.exec(sample) ?? [];
  const program = new Function("fetch", "console", `return (async () => {${sample}\nreturn ${result};})()`);
  const here = (address: string, options?: RequestInit) =>
    send(new Request(address.replace(placeholder, "http://localhost"), options));
  return program(here, { log() {} });
}

/** A schema's type, as the documentation writes it. */
function typeIn(schema: TObject, name: string): string {
  const { type, anyOf } = schema.properties[name] as { type?: string; anyOf?: { type: string }[] };
  return type ?? [...new Set(anyOf?.map((member) => member.type))].join(" or ");
}
