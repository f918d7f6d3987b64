import fc from "fast-check";
import { type Choice, choice } from "./choices.ts";
import type { Play } from "./play.ts";

/** The server is killed so long after the requests went out: before they arrive, while they are written, or when all is said. */
const killAfterMsMax = 8;

/** What is done next, as fast-check wants it, which leaves out steps until a story cannot be shorter. Its play knows what can be done. */
type Step = fc.AsyncCommand<object, Play>;

const alone = fc.tuple(choice).map(doing());
const together = fc.array(choice, { minLength: 2, maxLength: 4 }).map(doing());
const killed = fc
  .record({ choices: fc.array(choice, { minLength: 1, maxLength: 4 }), killAfterMs: fc.nat({ max: killAfterMsMax }) })
  .map(({ choices, killAfterMs }) => doing(killAfterMs)(choices));
/** One and the same, several times at once. */
const repeated = fc
  .record({ choice, times: fc.constantFrom(2, 3) })
  .map(({ choice, times }) => doing()(Array(times).fill(choice)));

function doing(killAfterMs: number | null = null) {
  return (choices: Choice[]): Step => ({
    check: () => true,
    run: (_, play) => play.step(choices, killAfterMs),
    toString: () => `${choices.length} at once${killAfterMs === null ? "" : ", killed"}`,
  });
}

/** A story of at most so many steps. Of twenty steps, one is killed. */
export function story(stepsMax: number) {
  const kinds = [...Array(11).fill(alone), ...Array(5).fill(together), ...Array(3).fill(repeated), killed];
  return fc.noBias(fc.commands<object, Play, false>(kinds, { maxCommands: stepsMax, size: "max" }));
}
