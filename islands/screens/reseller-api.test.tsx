import { expect, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import { verifyCall } from "../../src/reference/verify-call.ts";
import ResellerApiScreen, { steps } from "./reseller-api.tsx";

test("the page documents POST /api/verify and guides through four steps", () => {
  render(<ResellerApiScreen language="javascript" />);
  expect(screen.getByText("/api/verify")).toBeTruthy();
  const steps = within(screen.getByRole("list")).getAllByRole("heading", { level: 3 });
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    "Generate a unique device ID",
    "Store the key securely",
    "Verify on startup, tolerate offline",
    "Handle errors",
  ]);
});

const validUntilTomorrow = () =>
  Response.json({ valid: true, code: "VALID", expiry: new Date(Date.now() + 86_400_000).toISOString() });
const refused =
  (status: number, headers = {}) =>
  () =>
    Response.json({ message: "Refused" }, { status, headers });
const pageOfProxy = (status: number) => () => new Response("<h1>Not here</h1>", { status });
const noResponse = () => Promise.reject(new TypeError("fetch failed"));

/** Runs `code` after the sample and the four steps. Returns its result and the seconds for which it waited. */
async function runGuide(code: string, responses: (() => Response | Promise<Response>)[]) {
  const waits: number[] = [];
  const left = [validUntilTomorrow, ...responses];
  const fetchNext = async () => left.shift()?.();
  const setTimeout = (done: () => void, ms: number) => {
    waits.push(ms / 1_000);
    done();
  };
  const guide = [verifyCall.samples.javascript, ...steps.map((step) => step.code), code].join("\n");
  const parameters = ["fetch", "setTimeout", "console", "indexedDB", "random"];
  const body = guide.replaceAll("Math.random()", "random()");
  const program = new Function(...parameters, `return (async () => {${body}})()`);
  return { result: await program(fetchNext, setTimeout, { log() {} }, storedRows(), () => 1), waits };
}

/** What the guide uses of IndexedDB, with the source `a-source` or none. */
function storedRows(source?: string) {
  const rows = new Map(source === undefined ? [] : [["source", source]]);
  const later = (act: () => void) => queueMicrotask(act);
  const store = {
    get: (name: string) => answered({ result: rows.get(name) }, "onsuccess"),
    put: (value: string, name: string) => rows.set(name, value),
  };
  const transaction = () => answered({ objectStore: () => store }, "oncomplete", 2);
  return { open: () => answered({ result: { transaction, createObjectStore() {} } }, "onsuccess") };

  /** Calls its handler after so many turns. */
  function answered<Target extends object>(target: Target, handler: string, turns = 1): Target {
    const call = () => (target as Record<string, () => void>)[handler]?.();
    if (turns === 1) later(call);
    else setImmediate(call);
    return target;
  }
}

test("the guide's device id is a hash of the source and the game, and stays the same", async () => {
  const code = 'return [await deviceId("FREE FIRE"), await deviceId("FREE FIRE"), await deviceId("PUBG MOBILE")];';
  const guide = `${steps[0]?.code}\n${code}`;
  const program = new Function("indexedDB", `return (async () => {${guide}})()`);
  const [first, second, other] = await program(storedRows("a-source"));
  const hash = new Bun.CryptoHasher("sha512").update("latchkey-device\nFREE FIRE\na-source").digest();
  const expected = `d1.${Buffer.from(hash.subarray(0, 16)).toString("base64url")}`;
  expect([first, second]).toEqual([expected, expected]);
  expect(other).not.toBe(first);
  const [made, again] = await program(storedRows());
  expect([made, again]).toEqual([expect.stringMatching(/^d1\.[\w-]{22}$/), made]);
});

test("the guide waits as long as Retry-After says before it tries again, else at most 1, 2 and 4 seconds", async () => {
  const { result, waits } = await runGuide('return verifyWithRetry("KEY", "FREE FIRE", "phone");', [
    refused(429, { "retry-after": "7" }),
    pageOfProxy(502),
    noResponse,
    validUntilTomorrow,
  ]);
  expect([result.code, waits]).toEqual(["VALID", [7, 2, 4]]);
});

test("the guide does not let a player wait for ten minutes", async () => {
  const code = 'return verifyWithRetry("KEY", "FREE FIRE", "phone").catch(({ retryAfter }) => retryAfter);';
  expect(await runGuide(code, [noResponse, refused(429, { "retry-after": "600" })])).toEqual({
    result: "600",
    waits: [1],
  });
});

test.each([
  ["no response", noResponse],
  ["a 500", refused(500)],
  ["a 503", refused(503)],
  ["a 502 of a proxy", pageOfProxy(502)],
])("in the guide, %s is offline, and the last verdict counts", async (_, response) => {
  const code = 'storeKey("KEY"); return [await mayPlay("FREE FIRE"), await mayPlay("FREE FIRE")];';
  expect((await runGuide(code, [validUntilTomorrow, response])).result).toEqual([true, true]);
});

test.each([
  [422, refused(422)],
  [429, refused(429)],
  [403, pageOfProxy(403)],
])("in the guide, a %d is not offline", async (status, response) => {
  const code =
    'storeKey("KEY"); await mayPlay("FREE FIRE"); return mayPlay("FREE FIRE").catch((error) => error.status);';
  expect((await runGuide(code, [validUntilTomorrow, response])).result).toBe(status);
});
