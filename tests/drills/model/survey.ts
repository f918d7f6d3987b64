import type { Act, View } from "./acts.ts";
import type { Told } from "./explain.ts";
import type { World } from "./world.ts";

/** One look of an admin who looks at everything while nothing else happens. */
export interface Found {
  view: View;
  told: Told;
  from: number;
  to: number;
}

/** Where to look next: what has been found says who and what there is. Keys without devices are whole in their list; of `told` the timeline is read. */
export function* viewsOf(found: Found[], told: number[]): Generator<View> {
  for (const list of ["resellers", "tokens", "stats", "keys", "orders"] as const) yield { list };
  for (const { id } of rowsOf(found, "resellers")) {
    for (const list of ["keys", "orders", "ledger"] as const) yield { list, of: id };
  }
  for (const { id, deviceCount } of rowsOf(found, "keys")) if (deviceCount > 0) yield { list: "key", of: id };
  for (const of of told) yield { list: "timeline", of };
}

/** What an act without an answer may have been answered, if it happened: what it made is found, and was not there before. */
export function bodiesIn(found: Found[], act: Act, before: World): unknown[] {
  switch (act.does) {
    case "signIn": // Nobody knows the cookie, so nobody can tell.
    case "look":
    case "select":
      return [];
    case "issueToken":
      return rowsOf(found, "tokens")
        .filter(({ id }) => !before.tokens.has(id))
        .map((token) => ({ token }));
    case "register":
      return rowsOf(found, "resellers")
        .filter(({ id, username }) => !before.resellers.has(id) && username === act.username)
        .map((user) => ({ user }));
    case "generate": {
      const keys = rowsOf(found, "keys").sort((a, b) => a.id - b.id);
      return rowsOf(found, "orders")
        .filter(({ id }) => !before.orders.has(id))
        .map(({ id }) => ({ orderId: id, keys: keys.filter(({ orderId }) => orderId === id) }))
        .concat(retriedIn(act, before));
    }
    default:
      return [undefined];
  }
}

/** A retry makes nothing: it is answered by what is remembered already. */
function retriedIn({ idempotencyKey }: Extract<Act, { does: "generate" }>, { remembered }: World) {
  return idempotencyKey !== null && remembered.size > 0 ? [{ orderId: 0, keys: [] }] : [];
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of unknown shape is what the model is held against.
function rowsOf(found: Found[], list: View["list"]): any[] {
  return found
    .filter(({ view }) => view.list === list)
    .flatMap(({ told: { body } }) => (Array.isArray(body) ? body : body.keys));
}
