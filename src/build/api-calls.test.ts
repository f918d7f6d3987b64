import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { type ApiDocument, breakingChanges, type Calls, callsIn, releasedCallsPath, withoutNote } from "./api-calls.ts";
import { root } from "./executable.ts";

let panel: Panel;
let document: ApiDocument;
let calls: Calls;
beforeAll(async () => {
  panel = await openPanel();
  document = (await panel.newClient().get("/swagger/json")).body;
  calls = callsIn(document);
});
afterAll(() => panel.close());

test("no call has changed since the last release in a way that breaks clients, except as CHANGELOG.md says", () => {
  const released: Calls = JSON.parse(readFileSync(releasedCallsPath, "utf8"));
  expect(Object.keys(released).length).toBeGreaterThan(100);
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  expect(withoutNote(breakingChanges(released, calls), changelog)).toEqual([]);
});

test("every value has types that this comparison knows", () => {
  const known = /^(string|integer|number|boolean|object|array|header|empty|null|absent|(Verdict)?Failure)\b/;
  const values = Object.values(calls).flatMap(({ takes, returns }) => Object.entries({ ...takes, ...returns }));
  expect(values.filter(([, { is }]) => is.length === 0 || !is.every((type) => known.test(type)))).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: the paths and shapes of the document are what each change relies on.
type Change = (changed: any) => void;

/** What differs after a change of the document. */
function changesAfter(change: Change): string[] {
  const changed = structuredClone(document);
  change(changed);
  return breakingChanges(calls, callsIn(changed)).map(({ call, change }) => `${call}: ${change}`);
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
const verifyBody = ({ paths }: any) => paths["/api/verify"].post.requestBody.content["application/json"].schema;
// biome-ignore lint/suspicious/noExplicitAny: as above.
const parameter = ({ paths }: any, path: string, wanted: string) =>
  paths[path].get.parameters.find(({ name }: { name: string }) => name === wanted);

const breaking: [string, Change, string[]][] = [
  ["a removed path", ({ paths }) => delete paths["/api/updates"], ["GET /api/updates: is gone"]],
  [
    "a removed method",
    ({ paths }) => delete paths["/api/admin/online-updates/{id}"].delete,
    ["DELETE /api/admin/online-updates/{id}: is gone"],
  ],
  [
    "another operationId",
    ({ paths }) => {
      paths["/api/updates"].get.operationId = "updates";
    },
    ["GET /api/updates: its id was listPublishedUpdates"],
  ],
  [
    "a sign-in for a public call",
    ({ paths }) => {
      paths["/api/verify"].post.security = [{ apiKey: [] }];
    },
    ["POST /api/verify: no longer for anyone"],
  ],
  [
    "another scope",
    ({ paths }) => {
      paths["/api/verify"].post["x-scope"] = "keys:read";
    },
    ["POST /api/verify: no longer for an API key with the scope verify"],
  ],
  [
    "a removed field of a response",
    ({ components }) => delete components.schemas.Verdict.properties.expiry,
    ["POST /api/verify: 200.expiry is not returned"],
  ],
  [
    "a field of a response that may be left out",
    ({ components: { schemas } }) => {
      schemas.Verdict.required = schemas.Verdict.required.filter((name: string) => name !== "expiry");
    },
    ["POST /api/verify: 200.expiry may be absent"],
  ],
  [
    "a field of a response that may be null",
    ({ components }) => {
      components.schemas.Verdict.properties.message.nullable = true;
    },
    ["POST /api/verify: 200.message may be null"],
  ],
  [
    "another type in a response",
    ({ components }) => {
      components.schemas.Verdict.properties.deviceLimit.type = "string";
    },
    ["POST /api/verify: 200.deviceLimit may be string"],
  ],
  [
    "another format in a list in a response",
    ({ components }) => {
      components.schemas.ReleasableDevice.properties.firstConnected.format = "date";
    },
    [
      "POST /api/verify: 200.release.devices[].firstConnected may be string date",
      "GET /api/verify/{key}/{game}/{deviceId}: 200.release.devices[].firstConnected may be string date",
    ],
  ],
  [
    "a verdict that is never returned",
    ({ components }) => {
      components.schemas.VerdictCode.enum = components.schemas.VerdictCode.enum.filter(
        (code: string) => code !== "PAUSED",
      );
    },
    [
      "POST /api/verify: 200.code is never PAUSED",
      "GET /api/verify/{key}/{game}/{deviceId}: 200.code is never PAUSED",
      "GET /api/admin/keys/{id}/timeline: 200.answer.code is never PAUSED",
      "GET /api/reseller/keys/{id}/timeline: 200.answer.code is never PAUSED",
    ],
  ],
  [
    "another code of a failure",
    ({ paths }) => {
      const { schema } = paths["/api/verify"].post.responses[415].content["application/json"];
      schema.properties.code.enum = ["NO_JSON"];
    },
    ["POST /api/verify: 415 is never NOT_JSON"],
  ],
  [
    "a removed field of all failures",
    ({ components }) => delete components.schemas.Failure.properties.message,
    ["every failure: Failure.message is not returned"],
  ],
  [
    "a removed status",
    ({ paths }) => delete paths["/api/updates"].get.responses[304],
    ["GET /api/updates: 304 is not returned", "GET /api/updates: 304 ETag is not returned"],
  ],
  [
    "a removed header",
    ({ paths }) => delete paths["/api/admin/audit"].get.responses[200].headers.Link,
    ["GET /api/admin/audit: 200 Link is not returned"],
  ],
  [
    "a removed kind of file",
    ({ paths }) => delete paths["/api/admin/audit"].get.responses[200].content["text/csv"],
    ["GET /api/admin/audit: 200 text/csv is not returned"],
  ],
  [
    "a new required field of a request",
    (changed) => {
      verifyBody(changed).properties.store = { type: "string" };
      verifyBody(changed).required.push("store");
    },
    ["POST /api/verify: body.store is required"],
  ],
  [
    "a field of a request that becomes required",
    (changed) => verifyBody(changed).required.push("version"),
    ["POST /api/verify: body.version may not be absent"],
  ],
  [
    "a field of a request that may no longer be null",
    (changed) => {
      verifyBody(changed).properties.version.nullable = false;
    },
    ["POST /api/verify: body.version may not be null"],
  ],
  [
    "a removed field of a request",
    (changed) => delete verifyBody(changed).properties.deviceName,
    ["POST /api/verify: body.deviceName is ignored"],
  ],
  [
    "another type in a request",
    (changed) => {
      verifyBody(changed).properties.key.type = "integer";
    },
    ["POST /api/verify: body.key may not be string"],
  ],
  [
    "narrower limits in a request",
    (changed) => {
      const { key, game, lang, nonce } = verifyBody(changed).properties;
      key.maxLength -= 1;
      game.minLength += 1;
      lang.maxLength = 5;
      nonce.pattern = "^[a-f0-9]{32}$";
    },
    [
      "POST /api/verify: body.key has the maxLength 511",
      "POST /api/verify: body.game has the minLength 2",
      "POST /api/verify: body.lang has the maxLength 5",
      "POST /api/verify: body.nonce has the pattern ^[a-f0-9]{32}$",
    ],
  ],
  [
    "a removed value of a parameter, and a parameter with fewer values than any",
    (changed) => {
      const sort = parameter(changed, "/api/admin/keys/manage", "sort").schema;
      sort.enum = sort.enum.filter((value: string) => value !== "devices");
      parameter(changed, "/api/admin/keys/manage", "game").schema.enum = ["FREE FIRE"];
    },
    [
      "GET /api/admin/keys/manage: query.game may not be anything",
      "GET /api/admin/keys/manage: query.sort may not be devices",
    ],
  ],
  [
    "a parameter that becomes required",
    (changed) => {
      parameter(changed, "/api/admin/keys/manage", "limit").required = true;
    },
    ["GET /api/admin/keys/manage: query.limit may not be absent"],
  ],
  [
    "a body for a call that had none",
    ({ paths }) => {
      const content = { "application/json": { schema: { type: "object" } } };
      paths["/api/auth/logout"].post.requestBody = { required: true, content };
    },
    ["POST /api/auth/logout: body is required"],
  ],
];

for (const [name, change, expected] of breaking) {
  test(`${name} breaks clients`, () => {
    expect(changesAfter(change)).toEqual(expected);
  });
}

test("new calls, optional fields, values and wider limits break no client", () => {
  const additions: Change = (changed) => {
    const { paths, components } = changed;
    const text = { type: "string" };
    paths["/api/news"] = { post: structuredClone(paths["/api/verify"].post) };
    verifyBody(changed).properties.store = { type: "object", properties: { name: text }, required: ["name"] };
    verifyBody(changed).properties.key.maxLength += 1;
    verifyBody(changed).properties.game.minLength -= 1;
    delete verifyBody(changed).properties.nonce.pattern;
    verifyBody(changed).required.pop();
    parameter(changed, "/api/admin/keys/manage", "sort").schema.enum.push("game");
    components.schemas.Verdict.properties.store = text;
    components.schemas.Verdict.required.push("store");
    components.schemas.Verdict.properties.expiry.nullable = false;
    components.schemas.VerdictCode.enum.push("LOCKED");
    paths["/api/updates"].get.responses[409] = paths["/api/updates"].get.responses[400];
    paths["/api/updates"].get.summary = "The news";
  };
  expect(changesAfter(additions)).toEqual([]);
});

test("a note under Changed calls in the newest section of the changelog allows the changes of that call", () => {
  const verify = { call: "POST /api/verify", change: "body.store is required" };
  const release = { call: "POST /api/verify/release", change: "is gone" };
  const note = "### Changed calls\n\n- `POST /api/verify` needs `store`.\n";
  const left = (changelog: string) => withoutNote([verify, release], changelog);
  expect(left(`# Changelog\n\n## Unreleased\n\nFirst.\n\n${note}\n## 0.1.0\n`)).toEqual([release]);
  expect(left(`# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n${note}`)).toEqual([verify, release]);
  expect(left(`# Changelog\n\n## Unreleased\n\n- \`POST /api/verify\` is faster.\n\n### Changed calls\n`)).toEqual([
    verify,
    release,
  ]);
  expect(left(`# Changelog\n\n## Unreleased\n\n${note}\n### Other\n\n- \`POST /api/verify/release\`\n`)).toEqual([
    release,
  ]);
});
