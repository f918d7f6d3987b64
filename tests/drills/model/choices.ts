import fc from "fast-check";
import type { Act, KeyOrder, View } from "./acts.ts";
import { asReseller, by, type Choice, keyIn, number, pick, registering, sessionOf, withReseller } from "./scene.ts";
import { changeSelected, noteText, select } from "./selection-choices.ts";
import { type Key, statusOf } from "./world.ts";

const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"];
const msPerDay = 86_400_000;
const msPerHour = 3_600_000;

/** Far enough away for a busy machine, near enough to be met. */
const soonMs = 1_500;

/** The id of a device's row that there is not: a small one may be that of a device that connects at the same time, and nobody has been told of. */
const noDevice = 1_000_000;

/** Few texts, in both cases, so that they are taken again and again. */
const customText = fc.constantFrom("SUMMER-1", "summer-1", "SUMMER-2", "TEAM_3", "team_3");
const device = fc.constantFrom("phone-a", "phone-b", "phone-c", "phone-d", "tablet-é");
const idempotencyKey = fc.option(fc.constantFrom("once-1", "once-2"), { freq: 2 });

const commonOrder = {
  game: fc.constantFrom(...games),
  count: fc.constantFrom(1, 1, 2, 3, 5),
  keyString: fc.option(customText, { nil: undefined, freq: 3 }),
};

const issueToken = fc.constantFrom(0, 0.5, 10, 33.3).map(
  (credits): Choice =>
    () => ({ does: "issueToken", credits }),
);

const takeBackToken = number.map(
  (n): Choice =>
    ({ world }) => ({ does: "takeBackToken", token: pick([...world.tokens.keys()], n) ?? 1 + n }),
);

const register = number.map(
  (n): Choice =>
    (scene) =>
      registering(scene, n),
);

const signIn = number.map(
  (n): Choice =>
    (scene) =>
      withReseller(scene, n, ({ username }) => ({ does: "signIn", username })),
);

const signOut = number.map(
  (n): Choice =>
    (scene) =>
      asReseller(scene, n, (by) => ({ does: "signOut", by })),
);

const grant = fc
  .record({ n: number, amount: fc.constantFrom(1, 7, 100), note: fc.option(noteText, { nil: undefined }) })
  .map(
    ({ n, amount, note }): Choice =>
      (scene) =>
        withReseller(scene, n, ({ id: reseller }) => ({ does: "grant", reseller, amount, note: note?.trim() })),
  );

const setActive = fc
  .record({
    n: number,
    isOpposite: fc.boolean(),
    reason: fc.constantFrom(undefined, "Sold outside", 'It\'s "his" choice'),
  })
  .map(
    ({ n, isOpposite, reason }): Choice =>
      (scene) =>
        withReseller(scene, n, ({ id, isActive }) => {
          return { does: "setActive", reseller: id, isActive: isOpposite ? !isActive : isActive, reason };
        }),
  );

const buy = fc
  .record({
    ...{ n: number, idempotencyKey },
    order: fc.record({
      ...commonOrder,
      deviceLimit: fc.constantFrom(1, 1, 2, 100),
      days: fc.constantFrom(5, 5, 10, 30, 60, 7),
    }),
  })
  .map(
    ({ n, idempotencyKey, order }): Choice =>
      (scene) =>
        asReseller(scene, n, (by) => ({ does: "generate", by, order: tidy(order), idempotencyKey })),
  );

const make = fc
  .record({
    idempotencyKey,
    order: fc.record({ ...commonOrder, deviceLimit: fc.constantFrom(1, 2, 5, 100) }),
    // An hour more than whole days, so that nobody has to know the very millisecond in which the server counts them.
    livesMs: fc.constantFrom(soonMs, soonMs, msPerDay + msPerHour, 365 * msPerDay + msPerHour),
  })
  .map(
    ({ idempotencyKey, order, livesMs }): Choice =>
      ({ adminCookie: by }) => {
        return { does: "generate", by, order: tidy({ ...order, expiresAt: Date.now() + livesMs }), idempotencyKey };
      },
  );

const retry = fc.record({ n: number, other: buy }).map(
  ({ n, other }): Choice =>
    (scene) => {
      const earlier = pick(scene.retryable, n);
      if (!earlier) return other(scene);
      // The session that it was sent in may be over by now; the account is still the same.
      const account = scene.world.sessions.get(earlier.by);
      const [by = earlier.by] = [...scene.world.sessions].find(([, one]) => one === account) ?? [];
      return { ...earlier, by };
    },
);

const revoke = fc.record({ n: number, key: number, isAdmin: fc.boolean() }).map(
  ({ n, key, isAdmin }): Choice =>
    (scene) => {
      // Mostly one whose devices are remembered, by somebody who may.
      const isInUse = ({ devices, revokedBy }: Key) => devices.length > 0 && revokedBy === null;
      const used = n % 4 > 0 ? keyIn(scene, key, isInUse) : undefined;
      const revoke = (by: string): Act => ({ does: "revoke", by, key: (used ?? keyIn(scene, key))?.id ?? 1 });
      const owner = isAdmin ? undefined : sessionOf(scene, used?.owner);
      return owner === undefined ? by(scene, isAdmin, n, revoke) : revoke(owner);
    },
);

const revokeUnused = fc
  .record({ n: number, order: number, isAdmin: fc.boolean(), more: fc.constantFrom(0, 0, 0, 1) })
  .map(
    ({ n, order, isAdmin, more }): Choice =>
      (scene) =>
        by(scene, isAdmin, n, (by) => {
          const id = pick([...scene.world.orders.keys()], order) ?? 1;
          const isUnused = (key: Key) => {
            return key.orderId === id && key.devices.length === 0 && statusOf(key, Date.now()) === "ACTIVE";
          };
          const count = [...scene.world.keys.values()].filter(isUnused).length + more;
          return { does: "revokeUnused", by, order: id, count: Math.max(1, count) };
        }),
  );

const note = fc
  .record({
    n: number,
    id: number,
    on: fc.constantFrom("keys" as const, "orders"),
    note: noteText,
    isAdmin: fc.boolean(),
  })
  .map(
    ({ n, id, on, note, isAdmin }): Choice =>
      (scene) =>
        by(scene, isAdmin, n, (by) => ({ does: "note", by, on, id: pick([...scene.world[on].keys()], id) ?? 1, note })),
  );

const removeDevice = fc.record({ n: number, key: number, device: number }).map(
  ({ n, key, device }): Choice =>
    (scene) => {
      const isOpen = (one: Key) => n % 8 === 0 || statusOf(one, Date.now()) === "ACTIVE";
      const used = keyIn(scene, key, (one) => one.owner !== null && one.devices.length > 0 && isOpen(one));
      const connected = used && pick([...used.devices], device);
      // A row has an id only for whoever has seen it.
      if (used && connected?.id === null) {
        return { does: "look", by: scene.adminCookie, at: { list: "key", of: used.id } };
      }
      const by = sessionOf(scene, used?.owner);
      const remove = (by: string): Act => {
        return { does: "removeDevice", by, key: used?.id ?? 1, device: connected?.id ?? noDevice };
      };
      return by === undefined ? asReseller(scene, n, remove) : remove(by);
    },
);

const resetDevices = fc.constant<Choice>(() => ({ does: "resetDevices" }));

const verify = fc
  .record({
    ...{ key: number, n: number, deviceId: device, isPreview: fc.constantFrom(false, false, false, true) },
    spelled: fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLowerCase(),
      (text: string) => ` ${text} `,
    ),
    game: fc.option(fc.constantFrom(...games), { freq: 10 }),
  })
  .map(
    ({ key, n, deviceId, isPreview, spelled, game }): Choice =>
      (scene) => {
        const known = keyIn(scene, key);
        const connected = n % 2 === 0 ? pick([...(known?.devices ?? [])], n)?.deviceId : undefined;
        const asked = { key: spelled(known?.text ?? "SUMMER-1"), game: game ?? known?.game ?? "FREE FIRE" };
        return { does: "verify", isPreview, ...asked, deviceId: connected ?? deviceId };
      },
  );

const look = fc
  .record({
    ...{ n: number, of: number, isAdmin: fc.boolean() },
    list: fc.constantFrom<View["list"]>(
      "keys",
      "orders",
      "ledger",
      "key",
      "answer",
      "timeline",
      "search",
      "order",
      "profile",
      "resellers",
      "tokens",
      "stats",
    ),
  })
  .map(
    ({ n, of, isAdmin, list }): Choice =>
      (scene) => {
        const { world, adminCookie } = scene;
        if (list === "order") {
          const id = pick([...world.orders.keys()], of) ?? 1;
          return by(scene, isAdmin, n, (by) => ({ does: "look", by, at: { list, of: id } }));
        }
        if (["key", "answer", "timeline", "search"].includes(list)) {
          const { id, text } = keyIn(scene, of) ?? { id: 1, text: "SUMMER-1" };
          const at = { list, of: id, ...(list === "search" && { text: of % 2 ? text : text.toLowerCase() }) };
          return by(scene, isAdmin, n, (by) => ({ does: "look", by, at }));
        }
        if (["resellers", "tokens", "stats"].includes(list))
          return { does: "look", by: adminCookie, at: { list, isPage: list !== "stats" } };
        if (!isAdmin || list === "profile")
          return asReseller(scene, n, (by) => ({ does: "look", by, at: { list, isPage: list !== "profile" } }));
        const owner = list === "ledger" || of % 3 > 0 ? (pick([...world.resellers.keys()], n) ?? 99) : undefined;
        return { does: "look", by: adminCookie, at: { list, of: owner, isPage: true } };
      },
  );

export const choice: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 14, arbitrary: verify },
  { weight: 6, arbitrary: buy },
  { weight: 3, arbitrary: make },
  { weight: 3, arbitrary: retry },
  { weight: 6, arbitrary: look },
  { weight: 5, arbitrary: removeDevice },
  { weight: 2, arbitrary: grant },
  { weight: 3, arbitrary: revoke },
  { weight: 2, arbitrary: revokeUnused },
  { weight: 2, arbitrary: note },
  { weight: 2, arbitrary: select },
  { weight: 3, arbitrary: changeSelected },
  { weight: 2, arbitrary: fc.oneof(issueToken, takeBackToken, register) },
  { weight: 2, arbitrary: fc.oneof(signIn, signOut, setActive) },
  { weight: 1, arbitrary: resetDevices },
);

/** What the devices of a key may be told differently after. */
export const keyChange: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 4, arbitrary: verify },
  { weight: 5, arbitrary: removeDevice },
  { weight: 4, arbitrary: revoke },
  { weight: 2, arbitrary: changeSelected },
  { weight: 1, arbitrary: revokeUnused },
  { weight: 1, arbitrary: resetDevices },
);

/** Without what was left out, in a fixed order: a retry is the same text. */
function tidy({ game, deviceLimit, days, expiresAt, count, keyString }: KeyOrder): KeyOrder {
  return {
    ...{ game, deviceLimit, count },
    ...(days !== undefined && { days }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(keyString !== undefined && { keyString }),
  };
}
