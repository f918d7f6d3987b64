import type { Step } from "./explain.ts";
import type { State } from "./state.ts";

/** A row of the list of interventions. */
interface Row {
  id: number;
  kind: string;
  reason: string;
  count: number;
  state: string;
}

export function hasEnded({ state }: Row): boolean {
  return state === "finished" || state === "undone";
}

/**
 * A server that was killed before it responded carries on with its interventions. Returns the actions with the responses
 * that these would have had, and without those that did not begin.
 */
export function endedInterventions(done: Step["actions"], before: State, rows: Row[]): Step["actions"] {
  const known = new Set([...before.interventions.keys(), ...done.map(({ response }) => response?.body?.id)]);
  return done.flatMap((sent) => {
    const { action, response } = sent;
    if (response !== null) return [sent];
    if (action.type === "undo") {
      const isUndone = rows.some(({ id, state }) => id === action.intervention && state === "undone");
      const wasUndone = before.interventions.get(action.intervention)?.isUndone ?? true;
      return isUndone && !wasUndone ? [{ action, response: begun({}) }] : [];
    }
    if (action.type !== "intervene") return [sent];
    const { kind, reason } = action.what;
    const row = rows.find((one) => !known.has(one.id) && one.kind === kind && one.reason === reason);
    if (!row) return [];
    known.add(row.id);
    return [{ action, response: begun({ id: row.id, count: row.count }) }];
  });
}

function begun(body: object) {
  return { status: 202, body, cookie: "" };
}
