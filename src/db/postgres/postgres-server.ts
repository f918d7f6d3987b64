import { exitCodes, OperatorError } from "../../core/operator-error.ts";
import type { PostgresAddress } from "./postgres.ts";
import { serversOf } from "./postgres-address.ts";
import { closeNow, connectToWriter } from "./postgres-connection.ts";
import { isLost, isReadOnly, stateOf } from "./postgres-faults.ts";

/** Older versions are no longer maintained. */
const serverVersionMin = 13;

/** How long a notification may take to arrive. */
const noticeMsMax = 3_000;

const trialChannel = "latchkey_trial";

/** Throws `OperatorError` unless the server's version, encoding, pooler and notifications suit us. */
export async function refuseUnfitServer({ url, listenUrl }: PostgresAddress): Promise<void> {
  const isOther = listenUrl !== url;
  const clients: Bun.SQL[] = [];
  const connect = async (address: string) => {
    const client = await connectToWriter(address);
    clients.push(client);
    return client;
  };
  try {
    const client = await explainingErrors("DATABASE_URL", url, async () => {
      const first = await connect(url);
      await refuseOld(first);
      await refuseOtherEncoding(first);
      await checkPreparedStatements([first, await connect(url)]);
      return first;
    });
    await explainingErrors(isOther ? "DATABASE_LISTEN_URL" : "DATABASE_URL", listenUrl, async () =>
      refuseWithoutNotifications(client, await connect(listenUrl), isOther),
    );
  } finally {
    await Promise.all(clients.map(closeNow));
  }
}

async function refuseOld(client: Bun.SQL): Promise<void> {
  const [row] = await client.unsafe("SELECT current_setting('server_version_num') AS version");
  const version = Math.floor(Number(row.version) / 10_000);
  if (version >= serverVersionMin) return;
  throw new OperatorError(`The database is PostgreSQL ${version}; ${serverVersionMin} or newer is needed.`);
}

/**
 * Another encoding could not store some texts, and SQL_ASCII counts bytes instead of characters where lengths are
 * bounded.
 */
async function refuseOtherEncoding(client: Bun.SQL): Promise<void> {
  const [row] = await client.unsafe("SELECT current_setting('server_encoding') AS encoding");
  if (row.encoding === "UTF8") return;
  throw new OperatorError(
    `The database's encoding is ${row.encoding}, but UTF8 is needed: createdb --encoding=UTF8 --template=template0.`,
  );
}

/**
 * Prepares the same statement on two connections. An old pooler in transaction mode sends both to one connection of the
 * server, where the name is taken. Without this check the first start would succeed and later statements fail.
 */
async function checkPreparedStatements(clients: Bun.SQL[]): Promise<void> {
  for (const client of clients) await client.unsafe("SELECT $1::text AS prepared", ["once"]);
}

/** A pooler in transaction mode accepts LISTEN and then delivers nothing. */
async function refuseWithoutNotifications(client: Bun.SQL, listener: Bun.SQL, isOther: boolean): Promise<void> {
  const trial = crypto.randomUUID();
  const received = Promise.withResolvers<true>();
  await listener.listen(trialChannel, (payload) => payload === trial && received.resolve(true));
  await client.unsafe("SELECT pg_notify($1, $2)", [trialChannel, trial]);
  const tooLate = Promise.withResolvers<false>();
  const timer = setTimeout(() => tooLate.resolve(false), noticeMsMax);
  const hasArrived = await Promise.race([received.promise, tooLate.promise]);
  clearTimeout(timer);
  if (hasArrived) return;
  throw new OperatorError(
    isOther
      ? "The database's notifications do not arrive at DATABASE_LISTEN_URL. It must be the same database, reached without a pooler in transaction mode."
      : "The database's notifications do not arrive at DATABASE_URL, probably because of a pooler in transaction mode. Set DATABASE_LISTEN_URL to the address of the database itself.",
  );
}

async function explainingErrors<Result>(
  setting: string,
  address: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw sentenceFor(error, setting, address);
  }
}

/** Explains a wrong address to the operator. */
function sentenceFor(error: unknown, setting: string, address: string): unknown {
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const servers = serversOf(address);
  const host = servers.map((server) => server.host).join(" and ");
  const { username, pathname } = servers[0] as URL;
  const state = stateOf(error) ?? "";
  if (isWrongOption(error))
    return new OperatorError(
      `The database refuses an option of ${setting}: ${error.message}. Correct or remove it.`,
      exitCodes.wrongUsage,
    );
  if (isReadOnly(error))
    return new OperatorError(`The database at ${host} accepts no writes: ${setting} must name the primary.`);
  if (/^28/.test(state))
    return new OperatorError(`The database refuses the user ${username} or the password of ${setting}.`);
  if (state === "3D000")
    return new OperatorError(
      `There is no database ${pathname.slice(1)} at ${host}. Create it first, for Latchkey alone.`,
    );
  if (state === "42501")
    return new OperatorError(`The user ${username} of ${setting} may not do that: ${error.message}.`);
  if (error.code === "ERR_POSTGRES_TLS_NOT_AVAILABLE")
    return new OperatorError(`The database at ${host} offers no TLS, which ${setting} requires.`);
  // The prepared statement already exists, or does not exist.
  if (state === "42P05" || state === "26000")
    return new OperatorError(
      `The pooler at ${host} mixes up the prepared statements of its connections. Use PgBouncer 1.21 or newer with max_prepared_statements above 0, or let ${setting} bypass it.`,
    );
  if (!isLost(error) && !/^53/.test(state))
    return new OperatorError(`The database at ${host} refuses Latchkey: ${error.message}. Check ${setting}.`);
  return new OperatorError(`The database at ${host} cannot be reached: ${error.message}. Check ${setting}.`);
}

/** An unknown option, one with a wrong value, or one that a pooler does not pass on. */
function isWrongOption(error: Bun.SQL.PostgresError): boolean {
  if (/^ERR_POSTGRES_CHANNEL_BINDING/.test(String(error.code))) return true;
  return /^(42704|22023|42601)$/.test(stateOf(error) ?? "") || /startup parameter/.test(error.message);
}
