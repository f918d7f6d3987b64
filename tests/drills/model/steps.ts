import fc from "fast-check";
import type { Action } from "./actions.ts";
import { choice, keyChange } from "./choices.ts";
import { type ClockStep, clockStep } from "./clock-steps.ts";
import { asReseller, type Choice, pick, registerNext } from "./context.ts";
import { scenes } from "./scenes.ts";
import type { Simulation } from "./simulation.ts";

/** The server is killed up to this long after the requests were sent: before they arrive, during the write, or after the responses. */
const killAfterMsMax = 8;

const firstOrder = { game: "FREE FIRE", deviceLimit: 2, count: 2, days: 5 };

/** Starts a run with keys and devices, which random actions take long to create. */
export const opening: Choice[] = [
  (context) => registerNext(context, 0),
  (context) => registerNext(context, 0),
  (context) => asReseller(context, 0, buyFirst),
  (context) => asReseller(context, 0, (by) => buyFirst(by, "first_use")),
  ...[0, 1].map(
    (n): Choice =>
      ({ state }) => {
        const { text: key = "" } = pick([...state.keys.values()], n) ?? {};
        return { type: "verify", isPreview: false, key, game: firstOrder.game, deviceId: "phone-a" };
      },
  ),
];

function buyFirst(by: string, starts?: "first_use"): Action {
  return { type: "generate", by, order: { ...firstOrder, ...(starts && { starts }) }, idempotencyKey: null };
}

/** A fast-check command. To shrink a failing run, fast-check removes commands; the simulation decides what each one does. */
type Step = fc.AsyncCommand<object, Simulation>;

const alone = fc.tuple(choice).map(doing({}));
/** A change to a key, with its devices verifying before and after. */
const watched = fc.tuple(keyChange).map(doing({ isWatched: true }));
const together = fc
  .record({ choices: fc.array(choice, { minLength: 2, maxLength: 4 }), isWatched: fc.boolean() })
  .map(({ choices, isWatched }) => doing({ isWatched })(choices));
const killed = fc
  .record({
    choices: fc.array(choice, { minLength: 1, maxLength: 4 }),
    killAfterMs: fc.nat({ max: killAfterMsMax }),
    clockStep: fc.option(clockStep, { freq: 1 }),
  })
  .map(({ choices, ...how }) => doing(how)(choices));
/** The same action several times at once. */
const repeated = fc
  .record({ choice, times: fc.constantFrom(2, 3) })
  .map(({ choice, times }) => doing({})(Array(times).fill(choice)));

/** Several steps in the right order with the same key, which random steps hardly ever are. */
const scene = fc.constantFrom(...scenes).map(
  (parts): Step => ({
    check: () => true,
    async run(_, simulation) {
      for (const part of parts) {
        if (typeof part !== "function") await simulation.stepClock(part.clockStep);
        else await simulation.step([part], { killAfterMs: null, isWatched: false });
      }
    },
    toString: () => `a scene of ${parts.length} steps`,
  }),
);

const clockSteps = clockStep.map(
  (clockStep): Step => ({
    check: () => true,
    run: (_, simulation) => simulation.stepClock(clockStep),
    toString: () => "the clock steps",
  }),
);

function doing({
  killAfterMs = null,
  isWatched = false,
  clockStep = null,
}: {
  killAfterMs?: number | null;
  isWatched?: boolean;
  clockStep?: ClockStep | null;
}) {
  return (choices: Choice[]): Step => ({
    check: () => true,
    run: (_, simulation) => simulation.step(choices, { killAfterMs, isWatched, clockStep }),
    toString: () => `${choices.length} at once${isWatched ? ", watched" : ""}${killAfterMs === null ? "" : ", killed"}`,
  });
}

/** A run of at most this many steps. One step in 24 kills the server. */
export function simulationRun(stepsMax: number) {
  const kinds = [
    ...Array(7).fill(alone),
    ...Array(4).fill(watched),
    ...Array(5).fill(together),
    ...Array(3).fill(repeated),
    killed,
    ...Array(3).fill(clockSteps),
    scene,
  ];
  return fc.noBias(fc.commands<object, Simulation, false>(kinds, { maxCommands: stepsMax, size: "max" }));
}
