import {
  answers,
  check,
  deviceId,
  fails,
  game,
  key,
  late,
  plays,
  playsOffline,
  type Run,
  refused,
  refuses,
  restart,
  run,
  says,
  silence,
  unknown,
  unknownFor,
  valid,
} from "../run-script.ts";
import { bindOf, nonceOf, previous } from "../signing.ts";

/** A 200 that proves nothing, and so counts as no response. */
const unproven: [string, ReturnType<typeof answers>][] = [
  ["without a proof", says(200, JSON.stringify({ valid: true, code: "VALID", message: "Yes." }))],
  ["with a proof that is null", answers({ spoil: () => null })],
  ["with a proof that is a number", answers({ spoil: () => 1 })],
  ["with a proof that is cut", answers({ spoil: (proof) => proof.slice(0, -8) })],
  ["that is not JSON", says(200, "<html>Sign in to the Wi-Fi</html>")],
  ["that is empty", says(200, "")],
  ["that is a list", says(200, "[]")],
  ["with a key that is not pinned", answers({ by: previous })],
  ["with the nonce of another request", answers({ payload: { n: nonceOf("old") } })],
  ["with the bind of another key", answers({ payload: { bind: bindOf(game, "OTHER-KEY-0001", deviceId) } })],
  ["with the bind of another game", answers({ payload: { bind: bindOf("FREE FIRE", key, deviceId) } })],
  ["with the bind of another device", answers({ payload: { bind: bindOf(game, key, "another") } })],
  ["with a refusal without a proof", says(200, JSON.stringify({ valid: false, code: "REVOKED", message: "No." }))],
];

/** What a proxy says that blocks the address. */
const pages: [string, ReturnType<typeof says>][] = [
  ["403 that is a page", says(403, "<html>Blocked</html>")],
  ["404 that is empty", says(404, "")],
  ["451 that is a list", says(451, '["code"]')],
  ["429 whose code is a number", says(429, '{"code":1020}')],
];

/** Neither 200 nor 4xx: as good as no response. */
const offline = [0, 201, 204, 301, 302, 304, 500, 502, 503, 504, 511];
const refusedStatuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 451];

export const failures: Run[] = [
  ...unproven.flatMap(([what, response]) => [
    run(`a 200 ${what} counts as no response`, [
      check({ responses: [response], expect: unknown }),
      check({ at: 1, responses: [answers()], expect: plays }),
      check({ at: 1 + late, responses: [response], expect: playsOffline }),
    ]),
  ]),
  ...offline.map((status) =>
    run(`the stored proof counts after ${status || "no response"}`, [
      valid,
      check({
        at: late,
        responses: [status === 0 ? silence : says(status, "{}")],
        expect: playsOffline,
      }),
    ]),
  ),
  ...refusedStatuses.map((status) =>
    run(`a ${status} is a response: the stored proof does not count`, [
      valid,
      check({ at: late, responses: [fails(status, "SOME_CODE")], expect: unknownFor("SOME_CODE") }),
    ]),
  ),
  run("a proof with another status than 200 counts as no response", [
    check({
      responses: [(asked) => ({ ...answers()(asked), status: 202 })],
      expect: unknown,
    }),
  ]),
  run("a 503 without a stored proof says why", [check({ responses: [fails(503)], expect: unknownFor("BUSY") })]),
  ...pages.map(([what, response]) =>
    run(`a ${what} counts as no response`, [
      valid,
      check({ at: late, responses: [response], expect: playsOffline }),
      check({ at: late + 0.25, key: "second-key-0001", expect: unknown }),
    ]),
  ),
  run("a 4xx removes nothing", [
    valid,
    check({ at: late, responses: [fails(422, "INVALID")], expect: unknownFor("INVALID") }),
    check({ at: late + 1, responses: [silence], expect: playsOffline }),
  ]),
  run("an unsigned refusal removes nothing", [
    valid,
    check({
      at: late,
      responses: [says(200, JSON.stringify({ valid: false, code: "REVOKED", message: "No." }))],
      expect: playsOffline,
    }),
    check({ at: late + 1, responses: [silence], expect: playsOffline }),
  ]),
  run("a signed refusal removes the stored proof", [
    valid,
    check({ at: late, responses: [refuses("REVOKED")], expect: refused("REVOKED") }),
    check({ at: late + 1, responses: [silence], expect: unknown }),
    restart(),
    check({ at: late + 3, responses: [silence], expect: unknown }),
  ]),
  run("a signed refusal removes no other key's proof", [
    valid,
    check({ at: 1, key: "second-key-0001", responses: [answers()], expect: plays }),
    check({ at: late, responses: [refuses("REVOKED")], expect: refused("REVOKED") }),
    check({ at: late + 1, key: "second-key-0001", responses: [silence], expect: playsOffline }),
  ]),
];
