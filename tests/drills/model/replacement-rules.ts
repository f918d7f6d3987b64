import { endOf, msPerDay, started, startOf, unstarted } from "./life.ts";
import { ownKey, type Rules, refused, refusedAs } from "./outcome.ts";
import { remembering, retried } from "./remembered.ts";
import { adminId, eventText, findKey, type Key, nameOf, putAll, settled, statusOf, withEvents } from "./state.ts";
import { refusalsOf } from "./time-rules.ts";
import { keyView } from "./views.ts";

const replacementsMax = 3;
const replacementsMs = 30 * msPerDay;

/** A key gets a new text, and its old one becomes a revoked key, which is found afterwards. */
export const replacementRules: Pick<Rules, "replace"> = {
  replace: (state, { by, key: id, keyString, idempotencyKey }, { at, body, replaced }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const retry = { account, idempotencyKey, request: JSON.stringify(["replace", id, keyString]) };
    const earlier = retried(state, retry, { at, status: 200 });
    if (earlier) return earlier;
    const given = ownKey(state, account, id);
    if (given === null) return refused(state, 404, "NOT_FOUND");
    const key = settled(given, at);
    const lately = key.replacedAt.filter((time) => time > at - replacementsMs).length;
    const refusals = refusalsOf([
      [statusOf(key, at) === "REVOKED", 409, "KEY_ALREADY_REVOKED"],
      [statusOf(key, at) === "EXPIRED", 409, "KEY_NOT_ACTIVE"],
      [account !== adminId && lately >= replacementsMax, 409, "REPLACED_TOO_OFTEN"],
      [keyString !== undefined && findKey(state, keyString) !== undefined, 409, "KEY_TAKEN"],
    ]);
    if (refusals.length > 0) return refusedAs(state, ...refusals);
    const text: string = keyString ?? body?.key?.keyString ?? "";
    const name = nameOf(state, account);
    const events = key.devices.flatMap(({ deviceId }) => [
      eventText("device_connected", null, deviceId),
      eventText("device_removed", name, deviceId),
    ]);
    const kept = { ...key, text, devices: [], replacedAt: [...key.replacedAt, at] };
    const after = withEvents(kept, ...events, eventText("replaced", name));
    const view = { key: keyView(after, account, at) };
    const next = () => {
      const old = replaced.get(key.text.toLowerCase());
      const isNew = old !== undefined && !state.keys.has(old.id) && findKey(state, text) === undefined;
      if (!isNew || old.at !== at) return null;
      const leftover = oldKey(key, { id: old.id, replacedBy: id, revokedBy: account });
      return remembering({ ...state, keys: putAll(state.keys, [after, leftover]) }, retry, { body: view, at });
    };
    return { status: 200, body: view, next };
  },
};

/** The old text, with the time that the key had. */
function oldKey(key: Key, own: Pick<Key, "id" | "replacedBy" | "revokedBy">): Key {
  const [start, end] = [startOf(key.life), endOf(key.life)];
  const life = start === null || end === null ? unstarted : started(unstarted, start, end - start);
  const nothing = { orderId: null, note: null, devices: [], wasUsed: false, replacedAt: [], history: [] };
  return { ...key, ...nothing, life, ...own };
}
