import {
  answers,
  check,
  deviceId,
  forget,
  game,
  key,
  late,
  notAsked,
  payloadFor,
  plays,
  playsAtOnce,
  playsOffline,
  type Run,
  refused,
  refuses,
  restart,
  run,
  silence,
  start,
  unknown,
  valid,
} from "../run-script.ts";
import { active, bindOf, deviceIdOf, next, nonceOf, previous, proofOf } from "../signing.ts";

const ask = { game, key, deviceId, nonce: nonceOf("stored"), now: start };
const bind = bindOf(game, key, deviceId);
const storing = (...lines: string[]) => ({ stored: { "latchkey.proofs": lines.join("\n") } });
const storedProof = proofOf(payloadFor(ask));
const source = "what an earlier build made its device id of";
const storingSource = (text: string) => ({ stored: { "latchkey.device": text } });
const validAsBefore = check({ deviceId: deviceIdOf(game, source), responses: [answers()], expect: plays });
const stays = check({ at: 10, responses: [silence], expect: notAsked });
const ends = check({ at: 10, responses: [silence], expect: unknown });

export const stores: Run[] = [
  run("a stored proof counts", [stays], storing(`${bind} ${start} ${storedProof}`)),
  run(
    "a stored proof counts beside lines that nobody can read",
    [stays],
    storing("", "two words", `${bind} ${start} ${storedProof}`, `${bind} soon x`, "%"),
  ),
  run(
    "a store that holds something else is empty",
    [ends, check({ at: 11, responses: [answers()], expect: plays })],
    storing('{"proofs":[]}'),
  ),
  run(
    "a stored proof of another device does not count",
    [ends],
    storing(`${bind} ${start} ${proofOf(payloadFor({ ...ask, deviceId: "another" }))}`),
  ),
  run(
    "a stored proof of another game does not count",
    [ends],
    storing(`${bind} ${start} ${proofOf(payloadFor({ ...ask, game: "FREE FIRE" }))}`),
  ),
  run(
    "a stored proof that was changed does not count",
    [ends],
    storing(`${bind} ${start} ${storedProof.replace("lk1.k1active.eyJ", "lk1.k1active.eyK")}`),
  ),
  run(
    "a stored proof by a key that is not pinned does not count",
    [ends],
    storing(`${bind} ${start} ${proofOf(payloadFor(ask), previous)}`),
  ),
  run(
    "a stored refusal does not count",
    [ends],
    storing(`${bind} ${start} ${proofOf(payloadFor(ask, { valid: false }))}`),
  ),
  run(
    "a stored proof without a lease does not count",
    [ends],
    storing(`${bind} ${start} ${proofOf(payloadFor(ask, { exp: null }))}`),
  ),
  run("a stored proof that is not one does not count", [ends], storing(`${bind} ${start} lk1`)),
  run("a stored proof whose key is no longer pinned does not count", [
    valid,
    restart([next]),
    check({ at: 10, responses: [silence], expect: unknown }),
    check({ at: 11, responses: [answers({ by: next })], expect: plays }),
  ]),
  run("a new build pins the next key too, and the stored proof still counts", [
    valid,
    restart([active, next, previous]),
    stays,
  ]),
  run("a proof of a rotated key counts for a build that had pinned it as next", [
    check({ responses: [answers({ by: next })], expect: plays }),
    restart([next]),
    stays,
  ]),
  run("a build from before two rotations needs an update", [
    restart([previous]),
    check({ responses: [answers({ by: active })], expect: unknown }),
    check({ at: 1, responses: [answers({ by: next })], expect: unknown }),
    check({ at: 2, responses: [answers({ by: previous })], expect: plays }),
  ]),
  run(
    "what a full store cannot keep counts until the game ends",
    [
      valid,
      check({ at: 1, expect: playsAtOnce }),
      check({ at: late, responses: [silence], expect: playsOffline }),
      restart(),
      check({ at: late + 1, responses: [silence], expect: unknown }),
      check({ at: late + 2, responses: [answers()], expect: plays }),
    ],
    { store: "refusesSet" },
  ),
  run(
    "a full store keeps what it has, and still plays offline",
    [stays, check({ at: 11, expect: playsOffline }), restart(), stays],
    { ...storing(`${bind} ${start} ${storedProof}`), store: "refusesSet" },
  ),
  run(
    "a signed refusal removes the last proof of a full store",
    [
      check({ at: late, responses: [refuses("REVOKED")], expect: refused("REVOKED") }),
      restart(),
      check({ at: late + 1, responses: [silence], expect: unknown }),
    ],
    { ...storing(`${bind} ${start} ${storedProof}`), store: "refusesSet" },
  ),
  run(
    "a store that cannot be read is empty",
    [valid, check({ at: 1, expect: playsAtOnce }), restart(), check({ at: 2, responses: [answers()], expect: plays })],
    { ...storing(`${bind} ${start} ${storedProof}`), store: "refusesGet" },
  ),
  run(
    "a store that removes nothing forgets until the next start",
    [valid, forget, check({ at: 1, responses: [silence], expect: unknown }), restart(), stays],
    { store: "refusesRemove" },
  ),
  run(
    "a stored source stays in use where a device id is passed, also after signing out",
    [validAsBefore, forget, restart(), validAsBefore],
    storingSource(source),
  ),
  run("a stored source that many devices share is not used", [valid], storingSource("0000")),
  run("a device id that is passed is used where the source cannot be read", [valid], {
    ...storingSource(source),
    store: "refusesGet",
  }),
];
