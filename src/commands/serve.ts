import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getLogger } from "@logtape/logtape";
import { type Admins, createAdmins } from "../accounts/admins.ts";
import { createAuditedChanges } from "../accounts/audited-changes.ts";
import { firstAdminName, firstPasswordFile, removeFirstPassword } from "../accounts/password-change.ts";
import { createPasswords } from "../accounts/passwords/passwords.ts";
import { createSeal, type Secrets } from "../accounts/sealed.ts";
import { countSealed, sealAnew } from "../accounts/two-factor/two-factor.ts";
import { type Config, readConfig } from "../config/config.ts";
import { wrongSetting } from "../config/environment.ts";
import { version } from "../config/program.ts";
import { warningsOf } from "../config/warnings.ts";
import { atMost } from "../core/clock.ts";
import { addProcessMetrics, createMetrics, watchEventLoop } from "../core/metrics.ts";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import { randomPassword } from "../core/random.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { createServerClock } from "../db/server-clock.ts";
import { activeSigningKey } from "../proof/signing-key-store.ts";
import { createSigningKeys, openSeed, sealKeysAnew } from "../proof/signing-keys.ts";
import { createServer, type Server } from "../server.ts";
import { sealShopLinksAnew } from "../shop-links/shop-links.ts";
import { KeyCache } from "../verify/fast/key-cache.ts";
import { sealWebhooksAnew } from "../webhooks/secrets.ts";
import {
  keptSecretFile,
  newestInstants,
  openServerDatabase,
  removeOldFiles,
  secretsFor,
  writePrivately,
} from "./data.ts";
import { isEmpty } from "./demo/demo-store.ts";
import { listen } from "./listener.ts";
import { logDoubtful, logFailure, startServerLog } from "./server-log.ts";
import { untilStopSignal } from "./stop-signals.ts";
import type { Command, System } from "./terminal/command.ts";

const log = getLogger(["latchkey", "settings"]);

/**
 * A server stops within 5 s, even on a busy machine (rules.md: Stopping). So each step has a deadline after the signal:
 * open requests finish, those that still wait are refused, counts in memory are written, and the files are closed.
 */
const finishedByMs = 2_500;
const refusedByMs = 3_000;
const writtenByMs = 3_300;
const closedByMs = 3_800;

export const serve: Command = {
  usage: "serve [--demo]",
  summary: "Run the panel and the API (the default)",
  help: "With --demo an empty database is first filled with sample data.",
  options: { demo: { type: "boolean" } },
  complain: logFailure,
  async run(terminal, _operands, options) {
    const config = readConfig(terminal.environment);
    const system = { ...terminal, print: startServerLog(config, terminal) };
    const metrics = createMetrics({ ms: system.monotonicMs });
    addProcessMetrics(metrics, version);
    if (config.metricsToken !== null) watchEventLoop(metrics);
    // PostgreSQL never uses it.
    const keyCache = config.keyCache && !config.postgres ? new KeyCache() : new KeyCache(0);
    const { database, begun, unlock } = await openServerDatabase(config, system, metrics, keyCache.evict);
    const secrets = secretsFor(config, system);
    const { now: wallClock, monotonicMs, randomBytes } = system;
    const clock = await createServerClock({ database, wallClock, monotonicMs, newest: newestInstants(config) });
    const { now } = clock;
    await refuseOtherSecret(database, secrets, config);
    if (database.file !== null) removeOldFiles(config, clock.retentionNow(), system);
    await makeFirstAdmin(database, config, { ...system, now }, terminal);
    if (options.demo) await fillEmpty(database, config, system, terminal);
    await replacePreviousSecret(database, secrets);
    await makeFirstSigningKeys(database, secrets, { ...system, now });
    await begun();

    const server = await createServer({
      config,
      database,
      keyCache,
      passwords: createPasswords(randomBytes),
      secrets,
      metrics,
      clock,
      wallClock,
      monotonicMs,
      randomBytes,
    });
    const stopAsked = untilStopSignal();
    const stopLooking = listen(server.app, config);
    const address =
      config.publicUrl?.origin ?? `${config.tls ? "https" : "http"}://localhost:${server.app.server?.port}`;
    system.print(`Latchkey is ready at ${address}`);
    for (const warning of warningsOf(terminal.environment, config)) logDoubtful(warning);
    const { retention, statisticsRetention, deliveryRetention, importRetention, signer, backups, saleRetention } =
      server;
    const { deliveries, expiringKeys, interventionWork, importWork, diskWatch } = server;
    const jobs = [
      ...[clock, retention, statisticsRetention, deliveryRetention, importRetention, saleRetention, backups],
      ...[interventionWork, importWork, signer, deliveries, expiringKeys, diskWatch],
    ];
    const stops = jobs.map(({ begin }) => begin());
    await stopAsked;
    system.print("Latchkey is stopping.");
    for (const stop of [...stops, stopLooking]) stop();
    await stop(server, database, monotonicMs);
    unlock();
  },
};

/** Finishes open requests, closes sockets so that pages reconnect, and then closes the files. */
async function stop({ app, ...server }: Server, database: Database, monotonicMs: () => number): Promise<void> {
  const askedAt = monotonicMs();
  const msUntil = (instantMs: number) => askedAt + instantMs - monotonicMs();
  server.live.closeAll();
  const responded = Promise.resolve(app.server?.stop(false));
  await atMost(msUntil(finishedByMs), responded);
  const takeWrites = database.refuseWork();
  await atMost(msUntil(refusedByMs), responded);
  app.server?.stop(true);
  takeWrites();
  await atMost(
    msUntil(writtenByMs),
    Promise.all([
      ...[server.failedSignIns.write(), server.statistics.write(), server.apiKeys.writeUses(), server.sales.write()],
      server.deliveries.finished(),
    ]),
  );
  server.renderedPages.close();
  await database.close(msUntil(closedByMs));
}

/** There is no fixed password: without ADMIN_USERNAME the first admin gets a random one. */
async function makeFirstAdmin(database: Database, config: Config, system: System, terminal: System): Promise<void> {
  const { now } = system;
  const admins = createAdmins({
    database,
    changes: createAuditedChanges({ database, now }),
    passwords: createPasswords(system.randomBytes),
    now,
  });
  if (await admins.exist()) {
    if (config.firstAdmin)
      logDoubtful(
        "ADMIN_USERNAME and ADMIN_PASSWORD are only for the first admin, who already exists: remove them from the settings.",
      );
    return removeReplacedFirstPassword(admins, config);
  }
  if (config.firstAdmin) {
    await admins.create(config.firstAdmin.username, config.firstAdmin.password).catch((error: Error) => {
      if (!(error instanceof Refusal) || error.code !== "INVALID") throw error;
      throw wrongSetting(`ADMIN_USERNAME and ADMIN_PASSWORD cannot be used: ${error.message.replace(/\.$/, "")}.`);
    });
    system.print(`Created the first admin, ${config.firstAdmin.username}.`);
    return;
  }
  const password = randomPassword(system.randomBytes);
  // Written before the admin is created: if the process died in between, no one would know the password.
  const file = passwordFile(firstPasswordFile(config.dataFolder), password, terminal);
  await admins.create(firstAdminName, password);
  if (file) system.print(`Created the first admin, admin. The password is in ${file} until it is changed.`);
  else terminal.print(`Created the first admin. This is shown only once:\n  username: admin\n  password: ${password}`);
}

/** The password may have been changed by a process with another data folder. */
async function removeReplacedFirstPassword(admins: Admins, { dataFolder }: Config): Promise<void> {
  const password = await readFile(firstPasswordFile(dataFolder), "utf8").catch(() => null);
  if (password === null || (await admins.hasPassword(firstAdminName, password.trimEnd()))) return;
  await removeFirstPassword(dataFolder, firstAdminName);
}

/** Writes a password into a file and returns its path. At a terminal it returns null, because a person reads
 * the password there, whereas logs are kept and shared. */
function passwordFile(file: string, password: string, terminal: System): string | null {
  if (terminal.isTerminal("output")) return null;
  rmSync(file, { force: true });
  writePrivately(file, password);
  return file;
}

/** After this, nothing in the database needs the previous secret. Sessions that it signed end by themselves. */
async function replacePreviousSecret(database: Database, secrets: Secrets): Promise<void> {
  if (secrets.previous === null) return;
  const seal = createSeal({ secrets });
  const count = await sealAnew({ database, seal });
  if (count > 0) log.info("{count} two-factor secrets are now encrypted with the new SECRET.", { count });
  const keys = await sealKeysAnew({ database, seal });
  if (keys > 0) log.info("{keys} signing keys are now encrypted with the new SECRET.", { keys });
  const webhooks = await sealWebhooksAnew({ database, seal });
  const links = await sealShopLinksAnew({ database, seal });
  if (links > 0) log.info("The secrets of {links} shop links are now encrypted with the new SECRET.", { links });
  if (webhooks > 0) log.info("The secrets of {webhooks} webhooks are now encrypted with the new SECRET.", { webhooks });
}

async function makeFirstSigningKeys(database: Database, secrets: Secrets, { now, randomBytes }: System): Promise<void> {
  const changes = createAuditedChanges({ database, now });
  await createSigningKeys({ database, changes, seal: createSeal({ secrets }), randomBytes }).makeFirst();
}

/**
 * With another SECRET than the last start, verdicts would carry no proof. Only the active signing key decides; a
 * database from before there were signing keys is recognised by its two-factor secrets.
 */
async function refuseOtherSecret(database: Database, secrets: Secrets, config: Config): Promise<void> {
  const seal = createSeal({ secrets });
  const active = await activeSigningKey(database.read);
  if (active && openSeed(seal, active) === null) {
    throw new OperatorError(otherSecretSentence(active.kid, config), exitCodes.wrongUsage);
  }
  const { inUse, unopened } = await countSealed(database.read, seal);
  if (unopened === 0) return;
  if (!active && config.secret === null && unopened === inUse) {
    throw new OperatorError(
      `${keptSecretFile(config)} decrypts none of the ${inUse} two-factor secrets, so it is not the secret in use: set SECRET or SECRET_FILE as for the last start.`,
    );
  }
  log.error(
    "{unopened} of {inUse} two-factor secrets were encrypted with another SECRET, so only recovery codes work for them. If SECRET is wrong, correct it; otherwise set SECRET_PREVIOUS to the old one.",
    { event: "secret_changed", unopened, inUse },
  );
}

function otherSecretSentence(kid: string, config: Config): string {
  const secret = config.secret === null ? keptSecretFile(config) : "SECRET";
  return `${secret} is not the secret that encrypted the active signing key ${kid}. Without it verdicts have no proof, and every game with an SDK stops when its lease ends. Set SECRET or SECRET_FILE as for the last start; if that secret is lost for good, run \`latchkey secret lost --dry-run\`.`;
}

async function fillEmpty(database: Database, config: Config, system: System, terminal: System): Promise<void> {
  if (!(await isEmpty(database.read))) {
    system.print("The database is not empty, so no sample data was added.");
    return;
  }
  const { fillWithDemo } = await import("./demo/demo.ts");
  const { username, password } = await fillWithDemo(database, system);
  const file = passwordFile(join(config.dataFolder, "demo-password"), password, terminal);
  const sentence = `Filled the database with sample data. Sign in as the reseller ${username}`;
  if (file) system.print(`${sentence}; the password is in ${file}`);
  else terminal.print(`${sentence} with ${password}`);
}
