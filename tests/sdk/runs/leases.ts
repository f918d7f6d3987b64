import {
  answers,
  check,
  fails,
  forget,
  late,
  lease,
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

export const leases: Run[] = [
  run("a lease of none is not stored", [
    check({ responses: [answers({ payload: { exp: null } })], expect: plays }),
    check({ at: 1, responses: [silence], expect: unknown }),
  ]),
  run("a proof without a lease removes no stored one", [
    valid,
    check({ at: late, responses: [answers({ payload: { exp: null } })], expect: plays }),
    check({ at: late + 1, responses: [silence], expect: playsOffline }),
  ]),
  run("a running lease is refreshed at most once a minute", [
    valid,
    check({ at: 1, expect: playsAtOnce }),
    check({ at: 59, expect: playsAtOnce }),
    check({ at: 60, responses: [answers()], expect: playsAtOnce }),
    check({ at: 61, expect: playsAtOnce }),
    check({ at: 119, expect: playsAtOnce }),
    check({ at: 120, responses: [answers()], expect: playsAtOnce }),
  ]),
  run("a minute is measured without the clock", [
    valid,
    check({ at: 10, clock: 200, expect: playsAtOnce }),
    check({ at: 70, clock: -60, responses: [answers()], expect: playsAtOnce }),
  ]),
  run("after a new start the stored proof counts at once, and is refreshed", [
    valid,
    restart(),
    check({ at: 5, responses: [answers()], expect: playsOffline }),
    check({ at: 6, expect: playsAtOnce }),
  ]),
  run("a refresh prolongs the lease", [
    valid,
    check({ at: 50_000, responses: [answers()], expect: playsAtOnce }),
    check({ at: 50_000 + lease, responses: [silence], expect: playsAtOnce }),
    check({ at: 50_001 + lease, responses: [silence], expect: playsOffline }),
  ]),
  run("a refresh that brings a refusal ends the game at the next check", [
    valid,
    check({ at: 60, responses: [refuses("REVOKED")], expect: playsAtOnce }),
    check({ at: 61, responses: [refuses("REVOKED")], expect: refused("REVOKED") }),
  ]),
  run("a refresh that fails plays offline until the next", [
    valid,
    check({ at: 60, responses: [silence], expect: playsAtOnce }),
    check({ at: 61, expect: playsOffline }),
    check({ at: 120, responses: [answers()], expect: playsOffline }),
    check({ at: 121, expect: playsAtOnce }),
  ]),
  run("a running lease goes on after a refresh with a 4xx", [
    valid,
    check({ at: 60, responses: [fails(429, "TOO_MANY_TRIES", "600")], expect: playsAtOnce }),
    check({ at: 61, expect: playsOffline }),
    check({ at: 659, expect: playsOffline }),
    check({ at: 660, responses: [answers()], expect: playsOffline }),
    check({ at: 661, expect: playsAtOnce }),
  ]),
  run("a refresh waits as long as Retry-After says", [
    valid,
    check({ at: 60, responses: [fails(503, "BUSY", "90")], expect: playsAtOnce }),
    check({ at: 149, expect: playsOffline }),
    check({ at: 150, responses: [answers()], expect: playsOffline }),
  ]),
  run("the lease ends with its last second, and then a check asks", [
    valid,
    check({ at: lease, responses: [silence], expect: playsAtOnce }),
    check({ at: lease + 1, responses: [silence], expect: playsOffline }),
  ]),
  run("300 s after the lease the stored proof still counts", [
    valid,
    check({ at: lease + 300, responses: [silence], expect: playsOffline }),
  ]),
  run("301 s after the lease it does not", [valid, check({ at: lease + 301, responses: [silence], expect: unknown })]),
  run("an expired lease of yesterday comes back online", [
    valid,
    check({ at: 3 * lease, responses: [silence], expect: unknown }),
    check({ at: 3 * lease + 1, responses: [answers()], expect: plays }),
    check({ at: 3 * lease + 2, expect: playsAtOnce }),
  ]),
  run("a lease that ends with the key", [
    check({
      responses: [answers({ payload: { exp: start + 100, until: start + 100 } })],
      expect: { ...plays, until: start + 100 },
    }),
    check({ at: 100, responses: [silence], expect: { ...playsAtOnce, until: start + 100 } }),
    check({ at: 401, responses: [silence], expect: unknown }),
  ]),
  run("a shorter lease replaces a longer one", [
    valid,
    check({ at: 60, responses: [answers({ payload: { exp: start + 120 } })], expect: playsAtOnce }),
    check({ at: 421, responses: [silence], expect: unknown }),
  ]),
  run("two keys have two leases", [
    valid,
    check({ at: 1, key: "second-key-0001", responses: [answers({ payload: { exp: start + 100 } })], expect: plays }),
    check({ at: 2, expect: playsAtOnce }),
    check({ at: 3, key: "second-key-0001", expect: playsAtOnce }),
    check({ at: 402, key: "second-key-0001", responses: [silence], expect: unknown }),
    check({ at: 403, responses: [answers()], expect: playsAtOnce }),
  ]),
  run("another key has no lease", [
    valid,
    check({ at: 1, key: "second-key-0001", responses: [silence], expect: unknown }),
  ]),
  run("forgetting removes every proof", [
    valid,
    forget,
    check({ at: 1, responses: [silence], expect: unknown }),
    restart(),
    check({ at: 3, responses: [silence], expect: unknown }),
  ]),
];

export const clocks: Run[] = [
  run("the clock may be set back by 300 s", [
    valid,
    check({ at: 1_000, responses: [silence], expect: playsAtOnce }),
    check({ at: 1_100, clock: -400, responses: [silence], expect: playsOffline }),
  ]),
  run("set back by more, it ends the lease", [
    valid,
    check({ at: 1_000, responses: [silence], expect: playsAtOnce }),
    check({ at: 1_100, clock: -401, responses: [silence], expect: unknown }),
  ]),
  run("set right again, the lease goes on", [
    valid,
    check({ at: 1_000, responses: [silence], expect: playsAtOnce }),
    check({ at: 1_100, clock: -5_000, responses: [silence], expect: unknown }),
    check({ at: 1_200, responses: [silence], expect: playsOffline }),
  ]),
  run("300 s before iat is not too early", [
    valid,
    restart(),
    check({ clock: -300, responses: [silence], expect: playsOffline }),
  ]),
  run("301 s before iat is", [valid, restart(), check({ clock: -301, responses: [silence], expect: unknown })]),
  run("a clock that ran far ahead cannot go back", [
    valid,
    check({ at: 10, clock: 10_000_000, responses: [silence], expect: unknown }),
    check({ at: 20, responses: [silence], expect: unknown }),
    check({ at: 30, responses: [answers()], expect: plays }),
    check({ at: 31, expect: playsAtOnce }),
  ]),
  run("the highest time is kept across a new start", [
    valid,
    check({ at: 50_000, responses: [silence], expect: playsAtOnce }),
    restart(),
    check({ at: 50_001, clock: -1_000, responses: [silence], expect: unknown }),
  ]),
  run("the highest time counts for every stored proof", [
    valid,
    check({ at: 20_000, key: "second-key-0001", responses: [answers()], expect: plays }),
    check({ at: 20_001, clock: -1_000, responses: [silence], expect: unknown }),
  ]),
  run("a new proof forgets the highest time", [
    valid,
    check({ at: 1_000, clock: 80_000, responses: [silence], expect: playsAtOnce }),
    check({ at: 2_000, responses: [answers()], expect: plays }),
    check({ at: 2_001, responses: [], expect: playsAtOnce }),
  ]),
  run("a clock that was ahead when the proof came may be set right", [
    check({ clock: 10_000, responses: [answers()], expect: plays }),
    check({ at: 10, expect: playsAtOnce }),
  ]),
  run("a clock a day ahead needs the network", [
    check({ clock: 90_000, responses: [answers()], expect: plays }),
    check({ at: 1, clock: 90_000, responses: [silence], expect: unknown }),
  ]),
];
