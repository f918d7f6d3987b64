import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { sessionLost } from "../state/signals.ts";
import { type ApiFailure, deleteJson, download, failureText, getJson, getRows, postJson, putJson } from "./api.ts";

const realFetch = globalThis.fetch;
let asked: { path: string; init: RequestInit }[] = [];

/** The server's answers, one for each call, and the last for all that follow. */
function answer(...responses: (() => Response)[]): void {
  asked = [];
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    asked.push({ path, init });
    return (responses.length > 1 ? responses.shift() : responses[0])?.();
  }) as unknown as typeof fetch;
}
const json =
  (status: number, body: unknown, headers = {}) =>
  () =>
    Response.json(body, { status, headers });

beforeEach(() => {
  sessionLost.value = false;
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  try {
    await promise;
  } catch (error) {
    return error as ApiFailure;
  }
  throw new Error("It did not fail.");
}

test("a call sends the cookie to its own origin, and JSON with its content type", async () => {
  answer(json(201, { id: 1 }));
  expect(await postJson<{ id: number }>("/api/x", { a: 1 }, { "Idempotency-Key": "k" })).toEqual({ id: 1 });
  const { path, init } = asked[0] as (typeof asked)[0];
  expect([path, init.method, init.credentials, init.body]).toEqual(["/api/x", "POST", "same-origin", '{"a":1}']);
  expect(init.headers).toMatchObject({ "content-type": "application/json", "Idempotency-Key": "k" });
});

test("a call without a body sends none, with the JSON content type", async () => {
  answer(json(200, {}));
  await postJson("/api/auth/logout");
  expect(asked[0]?.init.body).toBeUndefined();
  expect(asked[0]?.init.headers).toMatchObject({ "content-type": "application/json" });
});

test("a refusal carries the server's sentence, code and wrong fields", async () => {
  const errors = [{ path: "count", message: "Must generate at least 1 key" }];
  answer(json(422, { message: "Must generate at least 1 key", code: "INVALID", errors }));
  const failure = await failureOf(postJson("/api/x", {}));
  expect([failure.status, failure.message, failure.code]).toEqual([422, "Must generate at least 1 key", "INVALID"]);
  expect(failure.errors).toEqual(errors);
  expect(failureText(failure, "Failed to generate key")).toBe("Must generate at least 1 key");
});

test("without a sentence the message is '{status}: {body text or status text}', and a screen uses its own words", async () => {
  answer(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  expect((await failureOf(getJson("/api/x"))).message).toBe("502: <h1>Bad gateway</h1>");
  answer(() => new Response(null, { status: 503, statusText: "Service Unavailable" }));
  expect((await failureOf(getJson("/api/x"))).message).toBe("503: Service Unavailable");
  answer(json(500, { oops: true }));
  const failure = await failureOf(getJson("/api/x"));
  expect([failure.answer, failureText(failure, "Failed to add credits")]).toEqual(["json", "Failed to add credits"]);
});

test("a server that cannot be reached is a failure of status 0, and a screen uses its own words", async () => {
  globalThis.fetch = (() => Promise.reject(new TypeError("fetch failed"))) as unknown as typeof fetch;
  const failure = await failureOf(postJson("/api/x"));
  expect([failure.status, failure.answer, failureText(failure, "Failed to login")]).toEqual([
    0,
    "nothing",
    "Failed to login",
  ]);
});

test("a success that cannot be read is a failure, and a screen uses its own words", async () => {
  const calls = [
    () => getJson("/api/x"),
    () => getRows("/api/x"),
    () => postJson("/api/x"),
    () => putJson("/api/x", {}),
    () => deleteJson("/api/x"),
  ];
  for (const call of calls) {
    answer(() => new Response("<html>Welcome to the hotel</html>"));
    const failure = await failureOf(call());
    expect(failure).toMatchObject({ name: "ApiFailure", status: 0, message: "The server's answer could not be read." });
    expect(failureText(failure, "Failed to add credits")).toBe("Failed to add credits");
  }
});

test("a 401 throws", async () => {
  answer(json(401, { message: "Please sign in first.", code: "NOT_SIGNED_IN" }));
  expect((await failureOf(getJson("/api/x"))).status).toBe(401);
});

test("a lost session keeps the page at first, and the next action goes to the login; a wrong password is no lost session", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  answer(json(401, { message: "Wrong username or password.", code: "WRONG_CREDENTIALS" }));
  await failureOf(postJson("/api/auth/admin/login", {}));
  expect(sessionLost.value).toBeFalse();
  answer(json(401, { message: "Please sign in first.", code: "NOT_SIGNED_IN" }));
  await failureOf(postJson("/api/x"));
  expect([sessionLost.value, assign.mock.calls.length]).toEqual([true, 0]);
  await failureOf(getJson("/api/x"));
  expect(assign.mock.calls).toHaveLength(0);
  await failureOf(postJson("/api/x"));
  expect(assign.mock.calls).toEqual([["/"]]);
  assign.mockRestore();
});

test("the next cursor of a list stands in its Link header", async () => {
  answer(json(200, [1], { link: '</api/x?limit=1&cursor=a%2Bb>; rel="next"' }), json(200, [2]));
  expect(await getRows<number>("/api/x?limit=1")).toEqual({ rows: [1], nextCursor: "a+b" });
  expect(await getRows<number>("/api/x?limit=1")).toEqual({ rows: [2], nextCursor: null });
});

test("a list says how many rows match where it was asked to count", async () => {
  answer(json(200, [1], { "x-match-count": "4200" }));
  expect((await getRows<number>("/api/x?limit=1&count=true")).matchCount).toBe(4_200);
});

test("a deletion may answer nothing", async () => {
  answer(() => new Response(null, { status: 204 }));
  expect(await deleteJson("/api/x/1")).toBeNull();
});

test("a download has the name that the server gives it, else the caller's, and tells how far it is", async () => {
  const progress: number[] = [];
  const headers = { "content-disposition": 'attachment; filename="backup.zip"', "content-type": "application/zip" };
  answer(() => new Response("12345", { headers }));
  const file = await download("/api/x", "fallback.json", (bytes) => progress.push(bytes));
  expect([file.filename, await file.blob.text(), progress.at(-1)]).toEqual(["backup.zip", "12345", 5]);
  answer(() => new Response("1"));
  expect((await download("/api/x", "fallback.json")).filename).toBe("fallback.json");
});
