import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { sessionLost } from "../state/signals.ts";
import { type ApiFailure, call, failureText, pathOf } from "./api.ts";
import { restoreFetch, stubFetch } from "./fetch-stub.ts";

const update = { title: "News", message: "Hello" };
const calls = {
  read: () => call("GET /api/admin/stats"),
  create: () => call("POST /api/admin/online-updates", { body: update, headers: { "Idempotency-Key": "k" } }),
  change: () => call("PUT /api/admin/online-updates/:id", { params: { id: 1 }, body: update }),
  remove: () => call("DELETE /api/admin/online-updates/:id", { params: { id: 1 } }),
  logout: () => call("POST /api/auth/logout"),
};

/** A server with the same response to every call. */
function respond(response: () => Response) {
  return stubFetch({
    "GET /api/admin/stats": response,
    "POST /api/admin/online-updates": response,
    "PUT /api/admin/online-updates/:id": response,
    "DELETE /api/admin/online-updates/:id": response,
    "POST /api/auth/:role/login": response,
    "POST /api/auth/logout": response,
  });
}
const json = (status: number, body: unknown) => () => Response.json(body, { status });

beforeEach(() => {
  sessionLost.value = false;
});
afterEach(restoreFetch);

async function failureOf(promise: Promise<unknown>): Promise<ApiFailure> {
  try {
    await promise;
  } catch (error) {
    return error as ApiFailure;
  }
  throw new Error("It did not fail.");
}

test("a call sends the cookie to its own origin, and JSON with its content type", async () => {
  const { received } = respond(json(201, { id: 1 }));
  expect(await calls.create()).toMatchObject({ id: 1 });
  expect(received[0]).toMatchObject({
    call: "POST /api/admin/online-updates",
    credentials: "same-origin",
    body: update,
  });
  expect(received[0]?.headers.get("content-type")).toBe("application/json");
  expect(received[0]?.headers.get("idempotency-key")).toBe("k");
});

test("a call without a body sends none, with the JSON content type", async () => {
  const { received } = respond(json(200, {}));
  await calls.logout();
  expect(received[0]?.body).toBeUndefined();
  expect(received[0]?.headers.get("content-type")).toBe("application/json");
});

test("a parameter of a path cannot lead to another path", () => {
  expect(pathOf("GET /api/reseller/keys/:id", { id: "7/../../admin?a=b" })).toBe(
    "/api/reseller/keys/7%2F..%2F..%2Fadmin%3Fa%3Db",
  );
});

test("a filter that is empty or 'all' is not sent", async () => {
  const { received } = stubFetch();
  const query = { search: "a b", game: "all", status: undefined, cursor: "", limit: 50 } as const;
  await failureOf(call("GET /api/admin/keys/manage", { query }));
  expect(received[0]?.call).toBe("GET /api/admin/keys/manage?search=a+b&limit=50");
});

test("a refusal carries the server's sentence, code and wrong fields", async () => {
  const errors = [{ path: "title", message: "Title is required" }];
  respond(json(422, { message: "Title is required", code: "INVALID", errors }));
  const failure = await failureOf(calls.create());
  expect([failure.status, failure.message, failure.code]).toEqual([422, "Title is required", "INVALID"]);
  expect(failure.errors).toEqual(errors);
  expect(failureText(failure, "Failed to create update")).toBe("Title is required");
});

test("without a sentence the message is '{status}: {body text or status text}', and a screen uses its own text", async () => {
  respond(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  expect((await failureOf(calls.read())).message).toBe("502: <h1>Bad gateway</h1>");
  respond(() => new Response(null, { status: 503, statusText: "Service Unavailable" }));
  expect((await failureOf(calls.read())).message).toBe("503: Service Unavailable");
  respond(json(500, { oops: true }));
  const failure = await failureOf(calls.read());
  expect([failure.response, failureText(failure, "Failed to add credits")]).toEqual(["json", "Failed to add credits"]);
});

test("a server that cannot be reached is a failure of status 0, and a screen uses its own text", async () => {
  stubFetch();
  const failure = await failureOf(calls.create());
  expect([failure.status, failure.response, failureText(failure, "Failed to login")]).toEqual([
    0,
    "nothing",
    "Failed to login",
  ]);
});

test("a success that cannot be read is a failure, and a screen uses its own text", async () => {
  for (const make of Object.values(calls)) {
    respond(() => new Response("<html>Welcome to the hotel</html>"));
    const failure = await failureOf(make());
    expect(failure).toMatchObject({
      name: "ApiFailure",
      status: 0,
      message: "The server's response could not be read.",
    });
    expect(failureText(failure, "Failed to add credits")).toBe("Failed to add credits");
  }
});

test("a 401 throws", async () => {
  respond(json(401, { message: "Please sign in first.", code: "NOT_SIGNED_IN" }));
  expect((await failureOf(calls.read())).status).toBe(401);
});

test("a lost session keeps the page at first, and the next action goes to the login; a wrong password loses no session", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  respond(json(401, { message: "Wrong username or password.", code: "WRONG_CREDENTIALS" }));
  const login = { username: "margaret", password: "wrong" };
  await failureOf(call("POST /api/auth/:role/login", { params: { role: "admin" }, body: login }));
  expect(sessionLost.value).toBeFalse();
  respond(json(401, { message: "Please sign in first.", code: "NOT_SIGNED_IN" }));
  await failureOf(calls.create());
  expect([sessionLost.value, assign.mock.calls.length]).toEqual([true, 0]);
  await failureOf(calls.read());
  expect(assign.mock.calls).toHaveLength(0);
  await failureOf(calls.create());
  expect(assign.mock.calls).toEqual([["/"]]);
  assign.mockRestore();
});
