import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import fc from "fast-check";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

/** Requests per run; `HOSTILE_REQUESTS` makes it longer. */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 1_500);

let latchkey: Latchkey;
let callers: Client[];
/** Who must keep their session through the run, or the rest of it would be a run of nobody's. */
let signedIn: Client[];
/** What would end the session of one of them; on the id 2, which is tried often, the same call suspends somebody else. */
let farewells: RegExp;
const newClient = () => createClient(latchkey.url);

interface Operation {
  method: string;
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: the document is JSON; docs.test.ts holds its form.
  described: any;
}
let operations: Operation[];

beforeAll(async () => {
  latchkey = await startLatchkey();
  const admin = await signInAdmin(newClient);
  await registerReseller(newClient, admin, { username: "bystander" });
  const reseller = await registerReseller(newClient, admin, { username: "hostile", credits: 20 });
  signedIn = [admin, reseller];
  callers = [newClient(), ...signedIn];
  farewells = new RegExp(
    `^/api/(auth/logout|auth/sessions/.*|admin/resellers/${reseller.id}/(toggle-status|sessions|password))$`,
  );
  const { body } = await newClient().get("/swagger/json");
  operations = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  );
});
afterAll(() => latchkey.stop());

const nasty = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "'",
    '"; DROP TABLE accounts; --',
    "%",
    "_",
    "\\",
    "\u0000",
    "__proto__",
    "null",
    "NaN",
    "1e309",
    "-1",
    "0",
  ),
  fc.constantFrom(
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "PUBG MOBILE",
    "ACTIVE",
    "2030-01-01",
    "\ud800",
    "x".repeat(600),
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const value = fc.oneof(
  { weight: 3, arbitrary: nasty },
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, false, 1, 0, -1, 2 ** 53, 0.1, [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Half of the fields as documented, so that the rest reaches deep into the business. */
function bodyFor({ described }: Operation): fc.Arbitrary<unknown> {
  const schema = described.requestBody?.content["application/json"].schema;
  if (!schema) return fc.constantFrom(undefined, {});
  const fields = Object.entries<{ example?: unknown; enum?: unknown[] }>(schema.properties).map(([name, field]) => {
    const documented = fc.constantFrom(...(field.enum ?? [field.example ?? "text"]));
    return [name, fc.oneof({ weight: 2, arbitrary: documented }, value)] as const;
  });
  return fc.oneof({ weight: 5, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) }, value);
}

const requestArbitrary = () =>
  fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      caller: fc.integer({ min: 0, max: callers.length - 1 }),
      parts: fc.array(fc.oneof(fc.constantFrom("1", "2", "admin", "license_keys"), nasty), {
        minLength: 4,
        maxLength: 4,
      }),
      query: fc.dictionary(
        fc.constantFrom(
          ...["limit", "cursor", "search", "game", "status", "sort", "order"],
          ...["action", "actor", "from", "to", "format", "x"],
        ),
        nasty,
        { maxKeys: 4 },
      ),
      body: bodyFor(operation),
    }),
  );

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || "%20";
}

test(`${requests} generated requests are answered as documented: no 5xx, no leak`, async () => {
  await fc.assert(
    fc.asyncProperty(requestArbitrary(), async ({ operation, caller, parts, query, body }) => {
      let part = 0;
      const path = operation.path.replace(/\{\w+\}/g, () => encoded(parts[part++ % parts.length] ?? "1"));
      if (farewells.test(path)) return;
      const search = new URLSearchParams(Object.entries(query).map(([name, text]) => [name, text.toWellFormed()]));
      const sent = operation.method === "GET" || body === undefined ? undefined : JSON.stringify(body);
      const answer = await (callers[caller] as Client).call(operation.method, `${path}?${search}`, sent);
      // A part of the path that decodes to a slash, a dot segment or nothing names another address.
      const documented = [
        ...Object.keys(operation.described.responses).filter((status) => status !== "500"),
        "404",
        "405",
      ];
      expect(documented).toContain(String(answer.status));
      if (answer.status >= 400)
        expect(answer.body).toMatchObject({ message: expect.any(String), code: expect.any(String) });
      expect(answer.text).not.toMatch(/SQLITE|node_modules|\/src\/|\bat \w+ \(|argon2/);
    }),
    { numRuns: requests },
  );
  const sessions = await Promise.all(signedIn.map((client) => client.get("/api/auth/session")));
  expect(sessions.map(({ body }) => body.isAuthenticated)).toEqual([true, true]);
  // The database is still what it should be.
  expect((await newClient().get("/healthz")).body).toEqual({ status: "ok" });
}, 60_000);

const broken: [string, string][] = [
  ["no HTTP at all", "hello\r\n\r\n"],
  [
    "two lengths that differ",
    "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}",
  ],
  [
    "a length and chunks",
    "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["a negative length", "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"],
  ["a chunk that is no number", "POST /api/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
  ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
  ["a short host", "GET /api/admin/stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
  ["a broken escape", "GET /api/verify/%zz/%/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
  ["a null in the path", "GET /\u0000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
  ["an absolute address", "GET http://evil.example/api/admin/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
  ["a huge header", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(200_000)}\r\n\r\n`],
];

test.each(broken)("broken HTTP, %s, is refused or closed, and the server goes on", async (_what, bytes) => {
  const answer = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(latchkey.url);
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, "latin1")));
    socket.setTimeout(1_000, () => socket.end());
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
    setTimeout(() => reject(new Error("The socket stayed open.")), 20_000).unref();
  });
  // 505 is the runtime's own word for a first line that it cannot read.
  expect(answer).not.toMatch(/^HTTP\/1\.1 50[0-4]/);
  expect((await newClient().get("/healthz")).status).toBe(200);
});
