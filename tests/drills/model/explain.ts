import type { Action } from "./actions.ts";
import { affectedKeys } from "./affected-keys.ts";
import { removedBy } from "./block-rules.ts";
import type { InstantAction, Observation, Outcome, RefusedAs, Replaced } from "./outcome.ts";
import { rules } from "./rules.ts";
import { expiriesIn, fingerprint, type Key, type State } from "./state.ts";
import { isSweep, type Sweep, swept } from "./sweeps.ts";
import { differenceOf } from "./views.ts";

export interface HttpResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the model checks responses of any shape.
  body: any;
  /** The cookie that the response set, or "". */
  cookie: string;
}

/** Actions that were sent at once with their responses: `null` where the server was killed before it responded. */
export interface Step {
  actions: { action: Action; response: HttpResponse | null }[];
  from: number;
  to: number;
  /** When interventions had ended, after the responses. */
  endedAt?: number;
  /** When something happened to a key meanwhile, by the key's id, from what is found afterwards. */
  eventTimes?: ReadonlyMap<number, EventTime[]>;
  /** The old texts of keys, if any was replaced, from what is found afterwards. */
  replaced?: Replaced;
  /** For an action without a response: the bodies it may have had if it took effect, from what is found after the crash. */
  possibleBodies: (action: Action) => unknown[];
}

export interface EventTime {
  kind: string;
  at: number;
}

export interface Explained {
  /** Each of them is consistent with every response so far. */
  states: State[];
  /** The rules that the responses violate, over all orders of the actions. */
  violations: string[];
}

/** The part of an action that takes effect at one instant. Only a sweep has several. */
interface Part {
  action: Action;
  response: HttpResponse | null;
  place: number;
  /** The keys that this part of a sweep handles. An intervention begins with a part that handles none. */
  sweeps: ((key: Key) => boolean) | null;
}

/** Both clocks are read in whole milliseconds. */
export const clockSlackMs = 2;

/**
 * Returns the states that are possible after a step. It tries every order of the actions and keeps those in which the rules predict
 * each response. An action without a response may or may not have taken effect. Returns none if no order explains the responses.
 */
export function explain(states: State[], step: Step): Explained {
  const found = new Map<string, State>();
  const violations = new Set<string>();
  const isAlone = step.actions.length === 1;
  const window = { from: step.from - clockSlackMs, to: step.to + clockSlackMs };

  for (const before of states) {
    const instants = instantsIn(before, step, window);
    const endedAt = (step.endedAt ?? step.to) + clockSlackMs;
    const sweptInstants = instantsIn(before, step, { from: window.from, to: endedAt });
    const visit = (state: State, waiting: Part[], sweptCounts: Map<Action, number>, last: Part | null): void => {
      if (waiting.length === 0) {
        if (countsAgree(step, sweptCounts, violations)) found.set(fingerprint(state), state);
        return;
      }
      for (const part of waiting) {
        // The parts of a sweep concern different keys, so the order of two adjacent parts does not matter.
        if (last?.action === part.action && last.place > part.place) continue;
        const { action, response, sweeps } = part;
        if (sweeps && waiting.some((other) => other.action === action && other.sweeps === null)) continue;
        const rest = waiting.filter((other) => other !== part);
        if (response === null) visit(state, rest, sweptCounts, last);
        if (sweeps) {
          for (const next of sweptBy(state, { action: action as Sweep, response, sweeps }, step, sweptInstants)) {
            visit(
              next.state,
              rest,
              new Map(sweptCounts).set(action, next.count + (sweptCounts.get(action) ?? 0)),
              part,
            );
          }
          continue;
        }
        for (const body of response ? [response.body] : step.possibleBodies(action)) {
          for (const at of instantsOf(action, step, instants)) {
            const { replaced = new Map() } = step;
            const observation = { ...window, at, before, isAlone, body, cookie: response?.cookie ?? "", replaced };
            const next = stateAfter(state, { action: action as InstantAction, response, observation }, violations);
            if (next) visit(next, rest, sweptCounts, part);
          }
        }
      }
    };
    const parts = step.actions.flatMap((sent) => partsOf(sent, before, step));
    visit(before, parts, new Map(), null);
  }
  return { states: [...found.values()], violations: [...violations] };
}

function stateAfter(
  state: State,
  { action, response, observation }: { action: InstantAction; response: HttpResponse | null; observation: Observation },
  violations: Set<string>,
): State | null {
  const outcome = (rules[action.type] as (state: State, action: Action, observation: Observation) => Outcome)(
    state,
    action,
    observation,
  );
  const violation = response && violationOf(outcome, response);
  const next = violation ? null : outcome.next();
  if (next === null)
    violations.add(`${action.type}: ${violation ?? "the response contains ids or texts that cannot be new"}`);
  return next;
}

function violationOf({ status, refusals, body }: Outcome, response: HttpResponse): string | null {
  const got: RefusedAs = [response.status, response.body?.code ?? ""];
  const expected = refusals ?? [[status, got[1]]];
  if (!expected.some((each) => each.join() === got.join())) {
    return `the response is ${got.join(" ")}, not ${expected.map((each) => each.join(" ")).join(" or ")}`;
  }
  return body === undefined ? null : differenceOf(body, response.body);
}

function countsAgree({ actions }: Step, resetCounts: Map<Action, number>, violations: Set<string>): boolean {
  return actions.every(({ action, response }) => {
    if (action.type !== "resetDevices" || response === null) return true;
    const expected = { status: 200, body: { resetCount: resetCounts.get(action) ?? 0 }, next: () => null };
    const violation = violationOf(expected, response);
    if (violation !== null) violations.add(`resetDevices: ${violation}`);
    return violation === null;
  });
}

/** Between two of these instants nothing expires, so one instant per interval is enough. */
function instantsIn(state: State, { actions }: Step, { from, to }: { from: number; to: number }): number[] {
  const ordered = actions.flatMap(({ action }) => (action.type === "generate" && action.order.expiresAt) || []);
  const changes = [...expiriesIn(state), ...ordered];
  return [from, ...new Set(changes.filter((at) => at > from && at <= to))];
}

/** The event that shows the exact instant of an action. */
const eventOf: Partial<Record<Action["type"], string>> = {
  verify: "started",
  extend: "extended",
  extendSelected: "extended",
  setLimit: "limit_changed",
  pause: "paused",
  resume: "resumed",
};

/** The instants at which an action may have taken effect: those, and when something of its kind happened. */
function instantsOf(action: Action, { eventTimes, replaced }: Step, instants: number[]): number[] {
  const replacedAt = [...(replaced?.values() ?? [])].map(({ at }) => at);
  if (action.type === "replace") return [...new Set([...instants, ...replacedAt])];
  const kind = eventOf[action.type];
  if (!kind || !eventTimes) return instants;
  const events = [...eventTimes.values()].flat().filter((event) => event.kind === kind);
  return [...new Set([...instants, ...events.map(({ at }) => at)])];
}

/** The possible states after a part of a sweep. Where events show when it handled a key, it handled it then. */
function sweptBy(
  state: State,
  { action, response, sweeps }: { action: Sweep; response: HttpResponse | null; sweeps: (key: Key) => boolean },
  { actions, eventTimes }: Step,
  instants: number[],
): { state: State; count: number }[] {
  if (action.type === "block") {
    const mayBeDeleted = actions.some((sent) => sent.action.type === "unblock");
    return removedBy(state, action, mayBeDeleted).map((next) => ({ state: next, count: 0 }));
  }
  if (action.type === "resetDevices") return [swept(state, { action, id: 0, matches: sweeps, atOf: () => 0 })];
  const id = action.type === "undo" ? action.intervention : response?.body.id;
  const kind = action.type === "intervene" && action.what.kind !== "compensate" ? `${action.what.kind}d` : null;
  const eventsOf = (key: Key) => (eventTimes?.get(key.id) ?? []).filter((event) => event.kind === kind);
  const sweptAt = (place: number, at: number) =>
    swept(state, { action, id, matches: sweeps, atOf: (key) => eventsOf(key)[place]?.at ?? at });
  // A key that other actions touch may have several events of this kind.
  const several = Math.max(1, ...[...state.keys.values()].filter(sweeps).map((key) => eventsOf(key).length));
  const all = Array.from({ length: several }, (_, place) => instants.map((at) => sweptAt(place, at))).flat();
  return all.filter(({ count }, index) => count > 0 || all.findIndex((other) => other.count === 0) === index);
}

/**
 * A sweep goes key by key. Keys that other actions touch, and the first key in use, are separate parts; the others are
 * one part.
 */
function partsOf({ action, response }: Step["actions"][number], state: State, { actions }: Step): Part[] {
  const whole: Part = { action, response, place: 0, sweeps: null };
  if (!isSweep(action)) return [whole];
  // One transaction removes the device from all keys.
  const removal: Part = { ...whole, place: 1, sweeps: () => true };
  if (action.type === "block") return (response?.status ?? 200) < 300 ? [whole, removal] : [whole];
  const isReset = action.type === "resetDevices";
  // A retry begins nothing.
  const isRetry = action.type === "intervene" && state.interventions.has(response?.body.id);
  if (!isReset && (isRetry || response?.status !== 202)) return [whole];
  const first = [...state.keys.values()].filter(({ devices }) => devices.length > 0).map(({ id }) => id);
  const touched = actions.flatMap(({ action: other }) => touchedKeys(other, state, isReset));
  const single = [...new Set([...touched, ...(isReset && first.length > 0 ? [Math.min(...first)] : [])])];
  const parts = single.map((id, place): Part => ({ ...whole, place: place + 1, sweeps: (key) => key.id === id }));
  const others: Part = { ...whole, place: single.length + 1, sweeps: ({ id }) => !single.includes(id) };
  return [...(isReset ? [] : [whole]), ...parts, others];
}

function touchedKeys(action: Action, state: State, isReset: boolean): number[] {
  if (isSweep(action) || action.type === "note" || action.type === "noteSelected") return [];
  const affected = affectedKeys(state, action);
  if (!isReset) return action.type === "removeDevice" ? [] : affected;
  if (["verify", "removeDevice", "replace"].includes(action.type)) return affected;
  return affected.filter((id) => action.type === "revokeUnused" && (state.keys.get(id)?.devices.length ?? 0) > 0);
}
