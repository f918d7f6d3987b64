import type { Action } from "./actions.ts";
import { compensated, compensationsOf, endOf, msPerHour, paused, resumed, takenBack } from "./life.ts";
import { type Rules, refused } from "./outcome.ts";
import { remembering, retried } from "./remembered.ts";
import {
  adminId,
  eventText,
  type Intervening,
  type Intervention,
  isOpen,
  type Key,
  nameOf,
  put,
  putAll,
  type Scope,
  type State,
  settled,
  statusOf,
  withEvents,
} from "./state.ts";

/** An action that changes many keys, each at its own instant between the call and its end. */
export type Sweep = Extract<Action, { type: "resetDevices" | "intervene" | "undo" | "block" }>;

export function isSweep(action: Action): action is Sweep {
  return ["resetDevices", "intervene", "undo", "block"].includes(action.type);
}

export function isIntervention(action: Action): boolean {
  return action.type === "intervene" || action.type === "undo";
}

/**
 * Several interventions or blocks at once would be too many orders to try, except for repeated undoing and blocking. A
 * block whose session ends before its device is removed is refused although it was written, so no session ends beside it.
 */
export function oneSweep(actions: Action[]): Action[] {
  const first = actions.find((action) => isIntervention(action) || action.type === "block");
  if (!first) return actions;
  const isSame = (action: Action) => JSON.stringify(action) === JSON.stringify(first);
  const isRepeated = (action: Action) => ["undo", "block"].includes(action.type) && isSame(action);
  const endsSession = ({ type }: Action) => first.type === "block" && ["signOut", "setActive"].includes(type);
  const fits = (action: Action) => !isSweep(action) || action === first || isRepeated(action);
  return actions.filter((action) => fits(action) && !endsSession(action));
}

/** Whether what an action does depends on its exact instant, which the key's timeline shows. */
export function setsTime(action: Action): boolean {
  if (action.type === "intervene") return action.what.kind !== "compensate";
  if (action.type === "verify") return !action.isPreview;
  return ["extend", "extendSelected", "setLimit", "pause", "resume", "replace"].includes(action.type);
}

/** The beginning of an intervention, before it changes the first key, and its preview. */
export const interventionRules: Pick<Rules, "intervene" | "previewIntervention" | "undo"> = {
  intervene: (state, { what, idempotencyKey }, { at, body }) => {
    const retry = { account: adminId, idempotencyKey, request: JSON.stringify(["intervene", what]) };
    const earlier = retried(state, retry, { at, status: 202 });
    if (earlier) return earlier;
    const scope = inScope(state, what.scope);
    if (scope === null) return refused(state, 404, "NOT_FOUND");
    const count = scope.filter((key) => effectOf(key, { ...what, id: 0 }, at) !== null).length;
    const begun = { ...what, id: body?.id, count, done: 0, isUndone: false, keys: scope.map(({ id }) => id) };
    const isNew = Number.isInteger(begun.id) && !state.interventions.has(begun.id);
    const next = () => {
      const after = { ...state, interventions: put(state.interventions, begun.id, begun) };
      return isNew ? remembering(after, retry, { body: { id: begun.id, count }, at }) : null;
    };
    return { status: 202, body: { count }, next };
  },

  previewIntervention: (state, { what }, { at }) => {
    const scope = inScope(state, what.scope);
    if (scope === null) return refused(state, 404, "NOT_FOUND");
    const count = scope.filter((key) => effectOf(key, { ...what, id: 0 }, at) !== null).length;
    return { status: 200, body: { id: null, count }, next: () => state };
  },

  undo: (state, { intervention: id }) => {
    const intervention = state.interventions.get(id);
    if (!intervention) return refused(state, 404, "NOT_FOUND");
    if (intervention.kind !== "compensate") return refused(state, 409, "NOT_UNDOABLE");
    if (intervention.isUndone) return refused(state, 409, "ALREADY_UNDONE");
    const undone = put(state.interventions, id, { ...intervention, isUndone: true });
    return { status: 202, next: () => ({ ...state, interventions: undone }) };
  },
};

/** The state after a sweep has handled these keys, each at its instant, and how many it changed. */
export function swept(
  state: State,
  {
    action,
    id,
    matches,
    atOf,
  }: {
    action: Exclude<Sweep, { type: "block" }>;
    id: number;
    matches: (key: Key) => boolean;
    atOf: (key: Key) => number;
  },
): { state: State; count: number } {
  const intervention = state.interventions.get(id) ?? null;
  const changed = [...state.keys.values()].filter(matches).flatMap((key) => {
    const at = atOf(key);
    if (action.type === "resetDevices") return resetKey(state, key) ?? [];
    if (intervention === null || !intervention.keys.includes(key.id)) return [];
    return (action.type === "undo" ? undoOf(key, intervention, at) : effectOf(key, intervention, at)) ?? [];
  });
  const next = { ...state, keys: putAll(state.keys, changed) };
  if (intervention === null) return { state: next, count: changed.length };
  const done = intervention.done + (action.type === "undo" ? -changed.length : changed.length);
  return {
    state: { ...next, interventions: put(state.interventions, id, { ...intervention, done }) },
    count: changed.length,
  };
}

/** The keys in a scope, or `null` if there is no such thing. */
export function inScope({ keys, resellers, orders }: State, scope: Scope): Key[] | null {
  const all = [...keys.values()];
  if ("all" in scope) return all;
  if ("gameId" in scope) {
    const name = gameNames[scope.gameId];
    return name === undefined ? null : all.filter(({ game }) => game === name);
  }
  if ("resellerId" in scope) {
    return resellers.has(scope.resellerId) ? all.filter(({ owner }) => owner === scope.resellerId) : null;
  }
  return orders.has(scope.orderId) ? all.filter(({ orderId }) => orderId === scope.orderId) : null;
}

const gameNames: Record<number, string> = { 1: "PUBG MOBILE", 2: "LAST ISLAND OF SURVIVAL", 3: "FREE FIRE" };

/** The key after an intervention, or `null` if it does not concern the key. */
export function effectOf(given: Key, { id, kind, hours, since }: Intervening & { id: number }, at: number): Key | null {
  const key = settled(given, at);
  const status = statusOf(key, at);
  const end = endOf(key.life);
  if (kind === "compensate") {
    const wasOver = status === "EXPIRED" && since !== null && (end as number) > since;
    if (end === null || !(isOpen(key, at) || wasOver)) return null;
    const life = compensated(key.life, id, (hours as number) * msPerHour);
    return withEvents({ ...key, life }, eventText("compensated", "admin", null, hours));
  }
  if (kind === "pause") {
    if (status !== "ACTIVE") return null;
    const life = paused(key.life, { from: at, by: "admin", intervention: id });
    return withEvents({ ...key, life }, eventText("paused", "admin"));
  }
  if (status !== "PAUSED" || (key.life.pause?.intervention ?? null) === null) return null;
  return withEvents({ ...key, life: resumed(key.life, at) }, eventText("resumed", "admin"));
}

function undoOf(given: Key, { id, hours }: Intervention, at: number): Key | null {
  const key = settled(given, at);
  if (key.revokedBy !== null || compensationsOf(key.life)[id] === undefined) return null;
  const event = eventText("compensated", "admin", null, -(hours as number));
  return withEvents({ ...key, life: takenBack(key.life, id) }, event);
}

function resetKey(state: State, key: Key): Key | null {
  if (key.devices.length === 0) return null;
  const event = eventText("devices_reset", nameOf(state, adminId), null, key.devices.length);
  return withEvents({ ...key, devices: [] }, event);
}
