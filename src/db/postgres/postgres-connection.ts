import { connectMsMax, newClient, serversOf } from "./postgres-address.ts";
import { isLost } from "./postgres-faults.ts";

/**
 * Connects to the server that accepts writes. All servers of the address are tried at once, so one that is down delays
 * nothing. When the connection has ended, the client is closed and `onLost` called. Bun would connect it again, perhaps
 * to a server that has become a standby and does not know of a revocation yet.
 */
export async function connectToWriter(
  address: string,
  onLost: (error: Error | null) => void = () => {},
): Promise<Bun.SQL> {
  let writer: Bun.SQL | null = null;
  const lose = (client: Bun.SQL, error: Error | null) => {
    if (client !== writer) return;
    closeNow(client);
    onLost(error);
  };
  const attempts = serversOf(address).map((server) => connectIfWriting(server, lose));
  try {
    writer = await Promise.any(attempts);
    return writer;
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find((each) => !isLost(each)) ?? errors[0];
  } finally {
    for (const attempt of attempts)
      attempt.then(
        (client) => void (client !== writer && closeNow(client)),
        () => {},
      );
  }
}

async function connectIfWriting(
  server: URL,
  onclose: (client: Bun.SQL, error: Error | null) => void,
): Promise<Bun.SQL> {
  const client = newClient(server, (error) => onclose(client, error));
  const tooLong = setTimeout(closeNow, connectMsMax(server), client);
  try {
    const [row] = await client.unsafe("SHOW transaction_read_only");
    if (row.transaction_read_only === "off") return client;
    throw new Bun.SQL.PostgresError("It accepts no writes", { code: "ERR_POSTGRES_SERVER_ERROR", errno: "25006" });
  } catch (error) {
    closeNow(client);
    throw asPostgresError(error as Error);
  } finally {
    clearTimeout(tooLong);
  }
}

/** Bun throws an error of another class for an untrusted certificate. */
function asPostgresError(error: Error): Error {
  if (error instanceof Bun.SQL.PostgresError) return error;
  return new Bun.SQL.PostgresError(error.message, { code: "ERR_POSTGRES_CONNECTION_FAILED" });
}

/** Closes a client and aborts everything that is running on it. */
export function closeNow(client: Bun.SQL): Promise<void> {
  return client.close({ timeout: 0 }).catch(() => {});
}

/** Runs `work` on a separate connection, which is closed afterwards with everything that `work` left open. */
export async function withConnection<Result>(
  address: string,
  work: (connection: Bun.ReservedSQL) => Promise<Result>,
): Promise<Result> {
  const client = await connectToWriter(address);
  try {
    return await work(await client.reserve());
  } finally {
    await closeNow(client);
  }
}
