import { firstAdmin } from "../../accounts/account-store.ts";
import { createAdmins } from "../../accounts/admins.ts";
import { type Caller, createAuditedChanges } from "../../accounts/audited-changes.ts";
import { createPasswords } from "../../accounts/passwords/passwords.ts";
import { full } from "../../accounts/schema.ts";
import { createSeal } from "../../accounts/sealed.ts";
import { endSessionsOf } from "../../accounts/store.ts";
import { allGames } from "../../catalogue/store.ts";
import { msPerDay, msPerHour, msPerMinute } from "../../core/clock.ts";
import { createMetrics } from "../../core/metrics.ts";
import { OperatorError } from "../../core/operator-error.ts";
import { randomPassword, randomText } from "../../core/random.ts";
import type { Database } from "../../db/contract.ts";
import { createPaces, createRateLimits } from "../../http/rate-limit.ts";
import type { Origin } from "../../http/request.ts";
import { createInterventionWork } from "../../interventions/intervention-work.ts";
import { createInterventions } from "../../interventions/interventions.ts";
import { createBlockedDevices } from "../../keys/blocks/blocked-devices.ts";
import { limitFreeCalls } from "../../keys/free-calls.ts";
import { createKeys } from "../../keys/keys.ts";
import { createExtensions } from "../../keys/life/extend.ts";
import { createPauses } from "../../keys/life/pause.ts";
import { createRefunds } from "../../keys/life/refund.ts";
import { startKey } from "../../keys/life/store.ts";
import { adminKeyView, resellerKeyView } from "../../keys/model.ts";
import { createOrders, orderView } from "../../orders/orders.ts";
import { createPurchase } from "../../orders/purchase.ts";
import { createDeviceRefs } from "../../players/device-refs.ts";
import { createReleases } from "../../players/releases.ts";
import { createRegistration } from "../../resellers/registration.ts";
import { createResellers } from "../../resellers/resellers.ts";
import { createTokens } from "../../tokens/tokens.ts";
import { createUpdates } from "../../updates/updates.ts";
import { KeyCache } from "../../verify/fast/key-cache.ts";
import { createStatistics } from "../../verify/statistics.ts";
import { createThrottle } from "../../verify/throttle.ts";
import { createVerification, type Verification } from "../../verify/verification.ts";
import { withDatabase } from "../data.ts";
import type { Command, System } from "../terminal/command.ts";
import * as content from "./demo-content.ts";
import { addSellersOwn } from "./demo-seller.ts";
import * as store from "./demo-store.ts";

export const demo: Command = {
  usage: "demo",
  summary: "Fill an empty database with sample data",
  help: "Resellers, a helper and a shop link of one, blocked devices, keys of every status, devices, tokens and updates. A database with data is not changed.",
  run: (system) =>
    withDatabase(system, async ({ database }) => {
      if (!(await store.isEmpty(database.read)))
        throw new OperatorError("The database is not empty, so no sample data was added.");
      const { username, password } = await fillWithDemo(database, system);
      system.print(`Filled the database with sample data. Sign in as the reseller ${username} with ${password}`);
    }),
};

/**
 * Uses the product's own functions, with a clock that starts 120 days ago, so every balance has its ledger and every
 * key its history. Returns the account to sign in with.
 */
export async function fillWithDemo(
  database: Database,
  system: System,
): Promise<{ username: string; password: string }> {
  const start = system.now() - 120 * msPerDay;
  let at = start;
  const now = () => at;
  const metrics = createMetrics({ ms: system.monotonicMs });
  const createRateLimit = createRateLimits({ ...system, enabled: false, metrics });
  // Without a security log, because monitoring must not report sample data.
  const changes = createAuditedChanges({ database, now });
  const statistics = createStatistics({ database, metrics });
  const shared = {
    ...{ database, changes, statistics, metrics, now },
    clock: { now, isAhead: () => false },
    createRateLimit,
    throttle: createThrottle({ createRateLimit }),
    refuseFreeCalls: limitFreeCalls({ isLimited: false }),
    refunds: createRefunds({ days: 0, clock: { now, isAhead: () => false } }),
    cache: new KeyCache(0),
  };
  const randomId = () => randomText(system.randomBytes, 18);
  // Addresses reserved for examples.
  const originOf = (index: number) => ({ address: `203.0.113.${10 + index}`, requestId: "demo" });
  const passwords = createPasswords(system.randomBytes);
  const tokens = createTokens({ ...shared, randomToken: randomId });
  const registration = createRegistration({ ...shared, passwords, tokens });
  const resellers = createResellers({ ...shared, passwords, randomBytes: system.randomBytes });
  const purchase = createPurchase({ ...shared, randomBytes: system.randomBytes });
  const orders = createOrders(shared);
  const keys = createKeys(shared);
  const refs = createDeviceRefs({ secrets: { current: randomId(), previous: null } });
  const releases = createReleases({ ...shared, refs });
  const pauses = createPauses(shared);
  const { endUsedUp: endUsedUpPauses } = pauses;
  const verification = createVerification({
    ...shared,
    startKey,
    endUsedUpPauses,
    releases,
    prove: (verdict) => verdict,
  });
  const extensions = createExtensions(shared);
  const seal = createSeal({ secrets: { current: randomId(), previous: null } });
  const createPace = createPaces({ ...system, enabled: false });
  const forSeller = { ...shared, passwords, purchase, seal, createPace, randomBytes: system.randomBytes };
  const work = createInterventionWork({ ...shared, endUsedUpPauses });
  const interventions = createInterventions({ ...shared, work });
  const updates = createUpdates(shared);

  const ownView = { view: resellerKeyView };
  const games = await allGames(database.read);
  const players: Player[] = [];
  const changedToday: { by: Omit<Caller, "sessionId">; keyId: number; what: string; helper?: string }[] = [];
  const admin = await adminCaller();
  const password = randomPassword(system.randomBytes);
  for (const [index, reseller] of content.demoResellers.entries()) {
    at = start + index * 6 * msPerDay;
    await addReseller(reseller, originOf(index + 1));
  }
  for (const batch of content.demoAdminBatches) {
    at = system.now() - batch.daysAgo * msPerDay;
    const expiryDate = new Date(at + batch.days * msPerDay).toISOString();
    const { game, deviceLimit, count } = batch;
    const order = { game, deviceLimit, count, expiryDate };
    const made = await purchase.generate(admin, order, { view: adminKeyView });
    await connectSome(made.keys);
  }
  for (const { daysAgo, changedAfterDays, ...form } of content.demoUpdates) {
    at = system.now() - daysAgo * msPerDay;
    const update = await updates.create(admin, form);
    if (changedAfterDays) {
      at += changedAfterDays * msPerDay;
      await updates.change(admin, update.id, form);
    }
  }
  at = system.now() - msPerHour;
  for (const order of content.demoTokens) await tokens.issue(admin, order);
  await simulateSixtyDays({ verification, players, endsAt: system.now(), setClock: (to) => (at = to) });
  await statistics.write();
  at = system.now() - 1.5 * msPerHour;
  for (const { by, keyId, what, helper } of changedToday) {
    const seller: Caller = { ...by, sessionId: await openSession(by.id) };
    if (what === "paused") await pauses.pause(seller, keyId, resellerKeyView);
    else await extensions.extend(seller, keyId, { days: 10 }, ownView);
    const sold = { seller: { ...seller, device: null }, password, pass: () => (at += 20 * msPerMinute) };
    if (helper) await addSellersOwn({ services: forSeller, helper, ...sold });
    await endSessions(seller);
  }
  at = system.now() - msPerHour;
  await createBlockedDevices(shared).block(admin, { deviceId: "07d5b3c8e6f19a-phone", reason: "Cheating" });
  await interventions.start(admin, content.demoCompensation);
  await work.run();
  at = system.now() - 8 * msPerHour;
  await changes.carryOut("command line", async () => ({
    result: undefined,
    record: { action: "backup_made", target: "database", details: { file: "latchkey-backup.db" } },
  }));
  at = system.now();
  await endSessions(admin);
  return { username: content.demoResellers[0]?.username ?? "", password };

  async function addReseller(reseller: (typeof content.demoResellers)[number], origin: Origin): Promise<void> {
    const { token } = await tokens.issue(admin, { credits: reseller.bonus, label: `for ${reseller.username}` });
    at += 7 * msPerHour;
    const form = { username: reseller.username, password, referralToken: token };
    const user = await registration.register(form, origin.address);
    if (reseller.granted > 0) await resellers.grantCredits(admin, { resellerId: user.id, amount: reseller.granted });
    const by = { ...user, ...origin };
    const caller: Caller = { ...by, sessionId: await openSession(user.id) };
    const { batches, laterGrants = [] } = reseller;
    for (const [index, batch] of batches.entries()) {
      const before = batches[index - 1]?.daysAgo ?? Number.POSITIVE_INFINITY;
      for (const { daysAgo, amount, note } of laterGrants) {
        if (daysAgo >= before || daysAgo < batch.daysAgo) continue;
        at = system.now() - daysAgo * msPerDay;
        await resellers.grantCredits(admin, { resellerId: user.id, amount, note });
      }
      at = system.now() - batch.daysAgo * msPerDay;
      const game = games[index % games.length]?.name ?? "FREE FIRE";
      const { deviceLimit, days, count, starts } = batch;
      const order = { game, deviceLimit, days, count, ...(starts && { starts }) };
      const bought = await purchase.generate(caller, order, ownView);
      if (batch.note) await orders.note(caller, bought.orderId, batch, orderView);
      await connectSome(bought.keys);
      if (batch.keyNotes) await noteSome(caller, bought.keys, batch.keyNotes);
      const [first] = bought.keys;
      if (first && batch.revokesFirst) await keys.revoke(caller, first.id, resellerKeyView);
      if (first && batch.today) changedToday.push({ by, keyId: first.id, what: batch.today, helper: batch.helper });
    }
    await endSessions(caller);
    at = system.now() - 2 * msPerHour;
    if (reseller.suspendedFor)
      await resellers.setActive(admin, user.id, { isActive: false, reason: reseller.suspendedFor });
  }

  /** Adds a seller's notes on buyers; the first buyer has since changed phones. */
  async function noteSome(caller: Caller, made: { id: number }[], notes: string[]): Promise<void> {
    for (const [index, note] of notes.entries()) {
      const { id } = made[index] as { id: number };
      at += msPerHour;
      await keys.note(caller, id, { note }, resellerKeyView);
      const [device] = index === 0 ? (await keys.openForReseller(caller.id, id)).devices : [];
      if (!device) continue;
      await keys.removeDevices(caller, id, device.id);
      const player = players.find(({ deviceId }) => deviceId === device.deviceId);
      if (player) player.deviceId = randomId().toLowerCase();
    }
  }

  /** Two thirds of the keys are in use, some of them on as many devices as they allow. */
  async function connectSome(made: { keyString: string; game: string; deviceLimit: number }[]): Promise<void> {
    for (const [index, key] of made.entries()) {
      if (index % 3 === 2) continue;
      const devices = Math.min(key.deviceLimit, 1 + (index % 4));
      for (let device = 0; device < devices; device += 1) {
        at += msPerHour;
        const deviceId = randomId().toLowerCase();
        const deviceName = content.demoDeviceNames[players.length % content.demoDeviceNames.length];
        await verification.verify({ key: key.keyString, game: key.game, deviceId, deviceName }, () => "demo");
        players.push({ key, deviceId, connectedAt: at, tookLastSlot: device + 1 === key.deviceLimit });
      }
    }
  }

  async function adminCaller(): Promise<Caller> {
    const admins = createAdmins({ ...shared, passwords });
    if (!(await admins.exist())) {
      const adminPassword = randomPassword(system.randomBytes);
      await admins.create("admin", adminPassword);
      system.print(`Created the admin admin. Password (shown only once): ${adminPassword}`);
    }
    const account = await firstAdmin(database.read);
    if (!account) throw new OperatorError("There is no admin.");
    return { ...account, ...full, ...originOf(0), sessionId: await openSession(account.id) };
  }

  function openSession(accountId: number): Promise<number> {
    const secret = randomId();
    return database.transaction(null, ({ sql }) => store.openSession(sql, { secret, accountId, at }));
  }

  async function endSessions({ id }: Caller): Promise<void> {
    await database.transaction(null, ({ sql }) => endSessionsOf(sql, { accountId: id }));
  }
}

/** A connected device of a demo key. */
export interface Player {
  key: { keyString: string; game: string; deviceLimit: number };
  deviceId: string;
  connectedAt: number;
  /** Whether it took the last slot. */
  tookLastSlot: boolean;
}

const playedDays = 60;

/** People play more at weekends. */
const playersOfThree = [2, 1, 1, 1, 2, 3, 3];

/** Days between two tries of a device beyond the limit, and of a text that is not a key. */
const daysBetweenRefusals = 4;
/** So many different devices on the last day that the key seems shared. */
const others = ["second", "third", "fourth", "fifth"];

/**
 * Sixty days of verifications, some on a device beyond the limit, some with an unknown key. `setClock` is the demo's.
 */
export async function simulateSixtyDays({
  verification,
  players,
  endsAt,
  setClock,
}: {
  verification: Verification;
  players: readonly Player[];
  endsAt: number;
  setClock: (at: number) => void;
}): Promise<void> {
  const ask = (key: Player["key"], deviceId: string) =>
    verification.verify({ key: key.keyString, game: key.game, deviceId }, () => "demo");

  for (let day = playedDays - 1; day >= 0; day -= 1) {
    const dayAt = endsAt - day * msPerDay - 2 * msPerHour;
    const share = playersOfThree[new Date(dayAt).getUTCDay()] ?? 1;
    for (const [index, { key, deviceId, connectedAt, tookLastSlot }] of players.entries()) {
      if (connectedAt >= dayAt) continue;
      setClock(dayAt);
      if ((index + day) % 3 < share) await ask(key, deviceId);
      const isTriedElsewhere = tookLastSlot && index % 7 === 0 && (index + day) % daysBetweenRefusals === 0;
      if (isTriedElsewhere) {
        for (const other of day === 0 ? others : ["second"]) await ask(key, `${deviceId.slice(0, 12)}-${other}`);
      }
      if (index % 11 === 0 && (index + day) % daysBetweenRefusals === 0) {
        await ask({ ...key, keyString: `${key.keyString.slice(0, -1)}_` }, deviceId);
      }
    }
  }
}
