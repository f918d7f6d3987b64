import type { Action, View } from "./actions.ts";
import type { EventTime, HttpResponse } from "./explain.ts";
import type { Replaced } from "./outcome.ts";
import type { State } from "./state.ts";

/** One page of a survey, in which an admin reads everything while nothing else happens. */
export interface SurveyEntry {
  view: View;
  response: HttpResponse;
  from: number;
  to: number;
}

/**
 * Yields what to read next, based on what was found so far. The list already shows everything about keys without devices.
 * Accounts without a session cannot show their blocks.
 */
export function* surveyViews(found: SurveyEntry[], timelineKeys: number[], { sessions }: State): Generator<View> {
  for (const list of ["resellers", "tokens", "stats", "interventions", "keys", "orders"] as const) yield { list };
  for (const { id } of rowsOf(found, "resellers")) {
    for (const list of ["keys", "orders", "ledger"] as const) yield { list, of: id };
  }
  for (const { id, deviceCount } of rowsOf(found, "keys")) if (deviceCount > 0) yield { list: "key", of: id };
  yield* oldTextViews(found);
  for (const by of new Map([...sessions].map(([cookie, account]) => [account, cookie])).values())
    yield { list: "blocks", by };
  for (const of of timelineKeys) yield { list: "timeline", of };
}

/** All keys, and each that has the old text of another. */
export function replacementViews(state: State): (found: SurveyEntry[]) => Generator<View> {
  return function* (found) {
    yield* listViews(state)();
    yield* oldTextViews(found);
  };
}

function* oldTextViews(found: SurveyEntry[]): Generator<View> {
  for (const { id, replacedBy } of rowsOf(found, "keys")) if (replacedBy !== null) yield { list: "key", of: id };
}

/** The keys that have old texts, by these texts in lower case, and when they were replaced. */
export function replacedIn(found: SurveyEntry[]): Replaced {
  const keys = found.filter(({ view }) => view.list === "key").map(({ response }) => response.body);
  const old = keys.filter(({ replacedBy }) => replacedBy !== null);
  return new Map(
    old.map(({ id, keyString, revokedAt }) => [keyString.toLowerCase(), { id, at: Date.parse(revokedAt) }]),
  );
}

/** The time of these keys and when it changed. */
export function timeViews(keyIds: number[]): () => View[] {
  return () => [...new Set(keyIds)].flatMap((of) => [{ list: "key", of } as const, { list: "timeline", of } as const]);
}

/** All keys and interventions. */
export function listViews({ resellers }: State): () => View[] {
  const ofResellers = [...resellers.keys()].map((of) => ({ list: "keys", of }) as const);
  return () => [{ list: "interventions" }, { list: "keys" }, ...ofResellers];
}

/** When the timelines say that something happened since an instant, by the key's id, oldest first. */
export function eventTimesIn(found: SurveyEntry[], from: number): Map<number, EventTime[]> {
  const timelines = found.filter(({ view, response }) => view.list === "timeline" && response.status === 200);
  return new Map(
    timelines.map(({ view, response }) => {
      const events = response.body.events as { kind: string; at: string }[];
      const times = events.map(({ kind, at }) => ({ kind, at: Date.parse(at) }));
      return [view.of as number, times.filter(({ at }) => at >= from).reverse()];
    }),
  );
}

/** The possible response bodies of an action without a response: they contain what exists now and did not exist before. */
export function possibleBodiesOf(found: SurveyEntry[], action: Action, before: State): unknown[] {
  switch (action.type) {
    case "signIn": // The cookie was lost, so the session cannot be seen.
    case "read":
    case "select":
      return [];
    case "issueToken":
      return rowsOf(found, "tokens")
        .filter(({ id }) => !before.tokens.has(id))
        .map((token) => ({ token }));
    case "register":
      return rowsOf(found, "resellers")
        .filter(({ id, username }) => !before.resellers.has(id) && username === action.username)
        .map((user) => ({ user }));
    case "generate": {
      const keys = rowsOf(found, "keys").sort((a, b) => a.id - b.id);
      return rowsOf(found, "orders")
        .filter(({ id }) => !before.orders.has(id))
        .map(({ id }) => ({ orderId: id, keys: keys.filter(({ orderId }) => orderId === id) }))
        .concat(retriedIn(action, before));
    }
    case "block": {
      const isByAccount = ({ view: { by = "" } }: SurveyEntry) =>
        before.sessions.get(by) === before.sessions.get(action.by);
      const ofAccount = rowsOf(found.filter(isByAccount), "blocks");
      // Again without a body, because the same block again has no row if it was deleted since.
      return [undefined, ...ofAccount.filter(({ deviceId }) => deviceId === action.deviceId)];
    }
    case "replace":
      return rowsOf(found, "keys")
        .filter(({ id, replacedBy }) => id === action.key || replacedBy === action.key)
        .map((key) => ({ key }));
    default:
      return [undefined];
  }
}

/** A retry creates nothing and returns the stored response. */
function retriedIn({ idempotencyKey }: Extract<Action, { type: "generate" }>, { idempotentResponses }: State) {
  return idempotencyKey !== null && idempotentResponses.size > 0 ? [{ orderId: 0, keys: [] }] : [];
}

// biome-ignore lint/suspicious/noExplicitAny: the model checks responses of any shape.
function rowsOf(found: SurveyEntry[], list: View["list"]): any[] {
  return found
    .filter(({ view, response }) => view.list === list && response.status === 200)
    .flatMap(({ response: { body } }) => (Array.isArray(body) ? body : body.keys));
}
