import fc from "fast-check";
import type { Act } from "./acts.ts";
import { choice, keyChange } from "./choices.ts";
import type { Play } from "./play.ts";
import { asReseller, type Choice, pick, registering } from "./scene.ts";

/** The server is killed so long after the requests went out: before they arrive, while they are written, or when all is said. */
const killAfterMsMax = 8;

const firstOrder = { game: "FREE FIRE", deviceLimit: 2, count: 2, days: 5 };

/** By which a story begins among keys and devices, to which it is a long way by chance. */
export const opening: Choice[] = [
  (scene) => registering(scene, 0),
  (scene) => registering(scene, 0),
  (scene) => asReseller(scene, 0, buyFirst),
  (scene) => asReseller(scene, 0, buyFirst),
  ...[0, 1].map(
    (n): Choice =>
      ({ world }) => {
        const { text: key = "" } = pick([...world.keys.values()], n) ?? {};
        return { does: "verify", isPreview: false, key, game: firstOrder.game, deviceId: "phone-a" };
      },
  ),
];

function buyFirst(by: string): Act {
  return { does: "generate", by, order: firstOrder, idempotencyKey: null };
}

/** What is done next, as fast-check wants it, which leaves out steps until a story cannot be shorter. Its play knows what can be done. */
type Step = fc.AsyncCommand<object, Play>;

const alone = fc.tuple(choice).map(doing({}));
/** A change of a key, with the devices that it may concern asking before it and after it. */
const watched = fc.tuple(keyChange).map(doing({ isWatched: true }));
const together = fc
  .record({ choices: fc.array(choice, { minLength: 2, maxLength: 4 }), isWatched: fc.boolean() })
  .map(({ choices, isWatched }) => doing({ isWatched })(choices));
const killed = fc
  .record({ choices: fc.array(choice, { minLength: 1, maxLength: 4 }), killAfterMs: fc.nat({ max: killAfterMsMax }) })
  .map(({ choices, killAfterMs }) => doing({ killAfterMs })(choices));
/** One and the same, several times at once. */
const repeated = fc
  .record({ choice, times: fc.constantFrom(2, 3) })
  .map(({ choice, times }) => doing({})(Array(times).fill(choice)));

function doing({ killAfterMs = null, isWatched = false }: { killAfterMs?: number | null; isWatched?: boolean }) {
  return (choices: Choice[]): Step => ({
    check: () => true,
    run: (_, play) => play.step(choices, { killAfterMs, isWatched }),
    toString: () => `${choices.length} at once${isWatched ? ", watched" : ""}${killAfterMs === null ? "" : ", killed"}`,
  });
}

/** A story of at most so many steps. Of twenty steps, one is killed. */
export function story(stepsMax: number) {
  const kinds = [
    ...Array(7).fill(alone),
    ...Array(4).fill(watched),
    ...Array(5).fill(together),
    ...Array(3).fill(repeated),
    killed,
  ];
  return fc.noBias(fc.commands<object, Play, false>(kinds, { maxCommands: stepsMax, size: "max" }));
}
