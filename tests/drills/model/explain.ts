import type { Action } from "./actions.ts";
import type { InstantAction, Observation, Outcome } from "./outcome.ts";
import { reset, rules } from "./rules.ts";
import { expiriesIn, findKey, fingerprint, type Key, type State } from "./state.ts";
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
  /** For an action without a response: the bodies it may have had if it took effect, from what is found after the crash. */
  possibleBodies: (action: Action) => unknown[];
}

export interface Explained {
  /** Each of them is consistent with every response so far. */
  states: State[];
  /** The rules that the responses violate, over all orders of the actions. */
  violations: string[];
}

/** The part of an action that takes effect at one instant. Only a reset has several. */
interface Part {
  action: Action;
  response: HttpResponse | null;
  place: number;
  matches: (key: Key) => boolean;
}

/** Both clocks are read in whole milliseconds. */
export const clockSlackMs = 2;

const msPerDay = 86_400_000;

/**
 * Returns the states that are possible after a step. It tries every order of the actions and keeps those in which the rules predict
 * each response. An action without a response may or may not have taken effect. Returns none if no order explains the responses.
 */
export function explain(states: State[], step: Step): Explained {
  const found = new Map<string, State>();
  const violations = new Set<string>();
  const window = { from: step.from - clockSlackMs, to: step.to + clockSlackMs };

  for (const before of states) {
    const instants = instantsIn(before, step, window);
    const visit = (state: State, waiting: Part[], resetCounts: Map<Action, number>, last: Part | null): void => {
      if (waiting.length === 0) {
        if (countsAgree(step, resetCounts, violations)) found.set(fingerprint(state), state);
        return;
      }
      for (const part of waiting) {
        // The parts of a reset concern different keys, so the order of two adjacent parts does not matter.
        if (last?.action === part.action && last.place > part.place) continue;
        const rest = waiting.filter((other) => other !== part);
        if (part.response === null) visit(state, rest, resetCounts, last);
        if (part.action.type === "resetDevices") {
          const { state: next, resetCount } = reset(state, part.matches);
          visit(
            next,
            rest,
            new Map(resetCounts).set(part.action, resetCount + (resetCounts.get(part.action) ?? 0)),
            part,
          );
          continue;
        }
        const { action, response } = part;
        for (const body of response ? [response.body] : step.possibleBodies(action)) {
          for (const at of instants) {
            const observation = { ...window, at, before, body, cookie: response?.cookie ?? "" };
            const next = stateAfter(state, { action: action as InstantAction, response, observation }, violations);
            if (next) visit(next, rest, resetCounts, part);
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

function violationOf({ status, codes, body }: Outcome, response: HttpResponse): string | null {
  if (response.status !== status || (codes && !codes.includes(response.body?.code))) {
    return `the response is ${response.status} ${response.body?.code ?? ""}, not ${status} ${codes?.join(" or ") ?? ""}`;
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

/**
 * Between two of these instants nothing expires, and the whole days until an ordered expiry stay the same, so one
 * instant per interval is enough.
 */
function instantsIn(state: State, { actions }: Step, { from, to }: { from: number; to: number }): number[] {
  const ordered = actions.flatMap(({ action }) => (action.type === "generate" && action.order.expiresAt) || []);
  const oneDayLess = ordered.map((at) => from + ((at - from) % msPerDay) + 1);
  const changes = [...expiriesIn(state), ...ordered, ...oneDayLess];
  return [from, ...new Set(changes.filter((at) => at > from && at <= to))];
}

/** A reset goes key by key. Keys that other actions touch, and the first key in use, are separate parts; the others are one part. */
function partsOf({ action, response }: Step["actions"][number], state: State, { actions }: Step): Part[] {
  if (action.type !== "resetDevices") return [{ action, response, place: 0, matches: () => false }];
  const first = [...state.keys.values()].filter(({ devices }) => devices.length > 0).map(({ id }) => id);
  const touched = actions.flatMap(({ action: other }) => touchedKeys(other, state));
  const single = [...new Set([...touched, ...(first.length > 0 ? [Math.min(...first)] : [])])];
  const others = { action, response, place: single.length, matches: ({ id }: Key) => !single.includes(id) };
  return [...single.map((id, place) => ({ action, response, place, matches: (key: Key) => key.id === id })), others];
}

function touchedKeys(action: Action, state: State): number[] {
  if (action.type === "verify") return [findKey(state, action.key)?.id ?? 0];
  if (action.type === "removeDevice") return [action.key];
  const isOfOrder = (key: Key) =>
    action.type === "revokeUnused" && key.orderId === action.order && key.devices.length > 0;
  return [...state.keys.values()].filter(isOfOrder).map(({ id }) => id);
}
