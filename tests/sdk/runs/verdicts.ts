import {
  answers,
  check,
  fails,
  key,
  payloadFor,
  plays,
  playsAtOnce,
  type Run,
  refused,
  refuses,
  release,
  run,
  says,
  silence,
  valid,
} from "../run-script.ts";
import { deviceIdOf, next, proofOf } from "../signing.ts";

const devices = [
  { ref: "d7Kq2m", name: "Redmi Note 12", firstConnected: "2026-11-01T10:00:00.000Z", lastSeen: "2026-11-02" },
  { ref: "x_9-Z", name: null, firstConnected: "2026-11-03T10:00:00.000Z", lastSeen: "2026-11-20" },
];
const full = { isAllowed: true, allowedAt: null, devices };
const fullVerdict = { ...refused("DEVICE_LIMIT_REACHED"), release: full };
const frees = says(200, '{"message":"Freed.","allowedAt":null}');
const isFreed = { isReleased: true, message: "Freed." };
const isFull = refuses("DEVICE_LIMIT_REACHED", "No.", { release: full });

export const online: Run[] = [
  run("a valid key plays", [valid]),
  run("a valid key that never ends plays", [
    check({ responses: [answers({ payload: { until: null } })], expect: { ...plays, until: null } }),
  ]),
  run("the next signing key is trusted", [check({ responses: [answers({ by: next })], expect: plays })]),
  ...["NOT_FOUND", "REVOKED", "PAUSED", "EXPIRED", "MAINTENANCE", "UPDATE_REQUIRED", "DEVICE_BLOCKED"].map((code) =>
    run(`${code} is refused`, [check({ responses: [refuses(code)], expect: refused(code) })]),
  ),
  run("a refusal without an end", [
    check({
      responses: [
        answers({ payload: { valid: false, code: "NOT_FOUND", exp: null, until: null }, fields: { message: "No." } }),
      ],
      expect: { ...refused("NOT_FOUND"), until: null },
    }),
  ]),
  run("an unknown code is refused, with its message", [
    check({ responses: [refuses("OUT_OF_FUEL", "Please refuel.")], expect: refused("OUT_OF_FUEL", "Please refuel.") }),
  ]),
  run("an unknown code of a valid key plays", [
    check({ responses: [answers({ payload: { code: "VALID_ENOUGH" } })], expect: { ...plays, code: "VALID_ENOUGH" } }),
  ]),
  run("a signed refusal counts, whatever the body says", [
    check({
      responses: [
        answers({
          payload: { valid: false, code: "REVOKED", exp: null },
          fields: { valid: true, code: "VALID", message: "No." },
        }),
      ],
      expect: refused("REVOKED"),
    }),
  ]),
  run("a signed permission counts, whatever the body says", [
    check({ responses: [answers({ fields: { valid: false, code: "REVOKED" } })], expect: plays }),
  ]),
  run("a message with escapes is read", [
    check({
      responses: [
        (asked) => ({
          status: 200,
          body: `{"list":[1,-2.5e3,true,null,{}],"message":"\\u0434\\u0430 \\ud83d\\ude00 \\"\\\\\\/\\n","proof":"${proofOf(payloadFor(asked))}"}`,
        }),
      ],
      expect: { ...plays, message: 'да 😀 "\\/\n' },
    }),
  ]),
  run(
    "the device's name, version and language are sent",
    [
      valid,
      check({ key: `${key}-2`, responses: [isFull], expect: fullVerdict }),
      release({ responses: [frees], expect: isFreed }),
    ],
    { deviceName: 'Zoë\'s "phone"\\\n', version: "1.12.3", lang: "pt-BR" },
  ),
  run("a wrong clock does not matter online", [
    check({ clock: -40_000_000, responses: [answers()], expect: plays }),
    check({ clock: 40_000_000, at: 1, key: "other-key-of-12", responses: [answers()], expect: plays }),
  ]),
  run("an alias of the game is sent as it is", [valid], { game: "PUBG", deviceId: deviceIdOf("PUBG", "a phone") }),
  run("a key with spaces and lower case is sent as it is", [
    check({ key: " pbgm-a1b2c-d3e4f-g5h6i\n", responses: [answers()], expect: plays }),
    check({ at: 60, sent: 1, responses: [answers()], expect: playsAtOnce }),
  ]),
  run(
    "a key and a game outside ASCII",
    [
      check({ key: "ключ-🔑-é", responses: [answers()], expect: plays }),
      check({ at: 5, key: "ключ-🔑-é", expect: playsAtOnce }),
    ],
    { game: "Щит и Меч 🛡" },
  ),
];

export const releases: Run[] = [
  run("a full key lists its devices, and one of them is released", [
    check({ responses: [isFull], expect: fullVerdict }),
    release({
      responses: [
        says(200, JSON.stringify({ message: "The device was released.", allowedAt: "2027-01-16T08:00:00.000Z" })),
      ],
      expect: { isReleased: true, message: "The device was released.", allowedAt: "2027-01-16T08:00:00.000Z" },
    }),
    check({ at: 1, responses: [answers()], expect: plays }),
  ]),
  run("a full key that lists no devices", [
    check({
      responses: [
        refuses("DEVICE_LIMIT_REACHED", "No.", {
          release: { isAllowed: false, allowedAt: "2027-01-16T08:00:00.000Z", devices: [] },
        }),
      ],
      expect: {
        ...refused("DEVICE_LIMIT_REACHED"),
        release: { isAllowed: false, allowedAt: "2027-01-16T08:00:00.000Z", devices: [] },
      },
    }),
  ]),
  ...(
    [
      [429, "RELEASE_TOO_SOON"],
      [403, "RELEASE_NOT_ALLOWED"],
      [404, "DEVICE_NOT_FOUND"],
      [409, "KEY_NOT_ACTIVE"],
      [503, "BUSY"],
    ] as const
  ).map(([status, code]) =>
    run(`a release that is refused with ${status} ${code}`, [
      check({ responses: [isFull], expect: fullVerdict }),
      release({
        responses: [fails(status, code, "3600")],
        expect: { isReleased: false, code, message: "Please try again." },
      }),
      check({ at: 1, responses: [isFull], expect: fullVerdict }),
    ]),
  ),
  run("a release without a response", [
    check({ responses: [isFull], expect: fullVerdict }),
    release({ responses: [silence], expect: { isReleased: false } }),
  ]),
  run(
    "a release tries the second address after a 5xx, not after a 4xx",
    [
      check({ responses: [isFull], expect: fullVerdict }),
      release({ responses: [fails(502), frees], expect: isFreed }),
      release({
        ref: "x_9-Z",
        responses: [fails(404, "DEVICE_NOT_FOUND")],
        expect: { isReleased: false, code: "DEVICE_NOT_FOUND", message: "Please try again." },
      }),
    ],
    { addresses: ["https://a.example", "https://b.example"] },
  ),
  run("a release is for the key last checked", [
    valid,
    check({ key: "second-key-0001", responses: [isFull], expect: fullVerdict }),
    release({ responses: [frees], expect: isFreed }),
  ]),
  ...(
    [
      [403, "<html>Blocked</html>"],
      [200, "<html>Sign in to the Wi-Fi</html>"],
      [200, "{}"],
    ] as const
  ).map(([status, body]) =>
    run(
      `a release tries the second address after a ${status} with ${body}`,
      [
        check({ responses: [isFull], expect: fullVerdict }),
        release({ responses: [says(status, body), frees], expect: isFreed }),
        release({ responses: [says(status, body), says(status, body)], expect: { isReleased: false } }),
      ],
      { addresses: ["https://a.example", "https://b.example"] },
    ),
  ),
];
