import {
  answers,
  check,
  fails,
  forget,
  late,
  plays,
  playsOffline,
  playsOfflineAfter,
  type Run,
  refused,
  refuses,
  run,
  says,
  silence,
  silentFor,
  unknown,
  unknownFor,
  valid,
} from "../run-script.ts";
import { previous } from "../signing.ts";

export const waits: Run[] = [
  run("the wait doubles to a minute, with full jitter", [
    ...[0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5].flatMap((at) => [
      ...(at > 0 ? [check({ at: at - 0.25, expect: unknown })] : []),
      check({ at, responses: [silence], expect: unknown }),
    ]),
    check({ at: 121.25, expect: unknown }),
    check({ at: 121.5, responses: [answers()], expect: plays }),
  ]),
  run(
    "without luck the wait is the whole of it",
    [
      check({ responses: [silence], expect: unknown }),
      check({ at: 0.875, expect: unknown }),
      check({ at: 1, responses: [silence], expect: unknown }),
      check({ at: 2.75, expect: unknown }),
      check({ at: 3, responses: [answers()], expect: plays }),
    ],
    { random: 0.9375 },
  ),
  run(
    "with luck there is no wait",
    [
      check({ responses: [silence], expect: unknown }),
      check({ responses: [silence], expect: unknown }),
      check({ responses: [answers()], expect: plays }),
    ],
    { random: 0 },
  ),
  run("a response that is no failure starts the waits over", [
    check({ responses: [silence], expect: unknown }),
    check({ at: 1, responses: [silence], expect: unknown }),
    check({ at: 3, responses: [refuses("NOT_FOUND")], expect: refused("NOT_FOUND") }),
    check({ at: 3, responses: [silence], expect: unknown }),
    check({ at: 3.25, expect: unknown }),
    check({ at: 3.5, responses: [answers()], expect: plays }),
  ]),
  run("Retry-After is the wait after a 429", [
    check({ responses: [fails(429, "TOO_MANY_TRIES", "30")], expect: unknownFor("TOO_MANY_TRIES") }),
    check({ at: 29, expect: unknownFor("TOO_MANY_TRIES") }),
    check({ at: 30, responses: [answers()], expect: plays }),
  ]),
  run("Retry-After of none is no wait", [
    check({ responses: [fails(503, "BUSY", "0")], expect: unknownFor("BUSY") }),
    check({ responses: [answers()], expect: plays }),
  ]),
  run("a Retry-After that is a date counts as none", [
    check({ responses: [fails(503, "BUSY", "Fri, 15 Jan 2027 08:10:00 GMT")], expect: unknownFor("BUSY") }),
    check({ at: 0.25, expect: unknownFor("BUSY") }),
    check({ at: 0.5, responses: [answers()], expect: plays }),
  ]),
  run("while it waits after no response the stored proof counts", [
    valid,
    check({ at: late, responses: [fails(503, "BUSY", "20")], expect: playsOfflineAfter("BUSY") }),
    check({ at: late + 19, expect: playsOfflineAfter("BUSY") }),
    check({ at: late + 20, responses: [answers()], expect: plays }),
  ]),
  run("while it waits after a 4xx it does not", [
    valid,
    check({ at: late, responses: [fails(429, "TOO_MANY_TRIES", "20")], expect: unknownFor("TOO_MANY_TRIES") }),
    check({ at: late + 19, expect: unknownFor("TOO_MANY_TRIES") }),
  ]),
  run("the wait after a 5xx is for every key", [
    check({ responses: [fails(503, "BUSY", "30")], expect: unknownFor("BUSY") }),
    check({ at: 1, key: "second-key-0001", expect: unknownFor("BUSY") }),
    check({ at: 30, key: "second-key-0001", responses: [answers()], expect: plays }),
  ]),
  run("the wait after a 4xx is for the key that was asked, also after signing out", [
    check({ responses: [fails(429, "TOO_MANY_TRIES", "600")], expect: unknownFor("TOO_MANY_TRIES") }),
    check({ at: 1, key: "second-key-0001", responses: [answers()], expect: plays }),
    check({ at: 2, expect: unknownFor("TOO_MANY_TRIES") }),
    forget,
    check({ at: 599, expect: unknownFor("TOO_MANY_TRIES") }),
    check({ at: 600, responses: [answers()], expect: plays }),
  ]),
  run("each key's wait after a 4xx doubles until its next verdict", [
    check({ responses: [fails(422, "INVALID")], expect: unknownFor("INVALID") }),
    check({ key: "second-key-0001", responses: [fails(422, "INVALID")], expect: unknownFor("INVALID") }),
    check({ at: 0.25, expect: unknownFor("INVALID") }),
    check({ at: 0.5, responses: [fails(422, "INVALID")], expect: unknownFor("INVALID") }),
    check({ at: 1, key: "second-key-0001", responses: [silence], expect: unknown }),
    check({ at: 1.25, expect: unknownFor("INVALID") }),
    check({ at: 1.5, responses: [refuses("NOT_FOUND")], expect: refused("NOT_FOUND") }),
    check({ at: 1.5, responses: [fails(422, "INVALID")], expect: unknownFor("INVALID") }),
    check({ at: 2, responses: [answers()], expect: plays }),
  ]),
  run("the clock does not shorten or lengthen a wait", [
    check({ responses: [fails(503, "BUSY", "30")], expect: unknownFor("BUSY") }),
    check({ at: 5, clock: 1_000, expect: unknownFor("BUSY") }),
    check({ at: 30, clock: -1_000, responses: [answers()], expect: plays }),
  ]),
];

const two = { addresses: ["https://a.example/", "https://b.example/keys//"] };
const three = { addresses: ["https://a.example", "https://b.example", "https://c.example"] };

export const addresses: Run[] = [
  run("the first address that proves something is enough", [valid], two),
  ...(
    [
      ["no response", silence],
      ["a 502", fails(502)],
      ["a captive portal", says(200, "<html>")],
      ["a redirect", says(302, "")],
      ["a proof that fails", answers({ by: previous })],
      ["the page of a proxy that blocks the first", says(403, "<html>Blocked</html>")],
    ] as const
  ).map(([what, response]) =>
    run(`the second address is tried after ${what}`, [check({ responses: [response, answers()], expect: plays })], two),
  ),
  run(
    "the second address is not tried after a 4xx",
    [check({ responses: [fails(422, "INVALID")], expect: unknownFor("INVALID") })],
    two,
  ),
  run(
    "the second address is not tried after a refusal",
    [check({ responses: [refuses("NOT_FOUND")], expect: refused("NOT_FOUND") })],
    two,
  ),
  run(
    "a 4xx of the second address is a response too",
    [valid, check({ at: late, responses: [silence, fails(403, "FORBIDDEN")], expect: unknownFor("FORBIDDEN") })],
    two,
  ),
  run(
    "the stored proof counts when all addresses fail",
    [valid, check({ at: late, responses: [silence, fails(500), says(200, "")], expect: playsOffline })],
    three,
  ),
  run(
    "the stored proof counts when a proxy blocks all addresses",
    [
      valid,
      check({
        at: late,
        responses: [says(403, "<html>"), says(403, "<html>", { retryAfter: "150" })],
        expect: playsOffline,
      }),
      check({ at: late + 149, expect: playsOffline }),
      check({ at: late + 150, responses: [answers()], expect: plays }),
    ],
    two,
  ),
  run(
    "the longest Retry-After of all addresses is the wait",
    [
      check({ responses: [fails(503, "BUSY", "40"), fails(503, "BUSY", "7"), silence], expect: unknown }),
      check({ at: 39, expect: unknown }),
      check({ at: 40, responses: [answers()], expect: plays }),
    ],
    three,
  ),
  run(
    "after 10 s no further address is tried",
    [
      check({ responses: [silentFor(4), silentFor(6)], expect: unknown }),
      check({ at: 20, responses: [silentFor(4), silentFor(5.75), answers()], expect: plays }),
    ],
    three,
  ),
  run(
    "the wait begins when the last address has failed",
    [
      check({ responses: [silentFor(4), silentFor(4)], expect: unknown }),
      check({ at: 8.25, expect: unknown }),
      check({ at: 8.5, responses: [answers()], expect: plays }),
    ],
    two,
  ),
  run(
    "all addresses in one attempt are one failure",
    [
      check({ responses: [silence, silence], expect: unknown }),
      check({ at: 0.25, expect: unknown }),
      check({ at: 0.5, responses: [silence, answers()], expect: plays }),
    ],
    two,
  ),
];
