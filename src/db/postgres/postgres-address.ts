/** How long it may take to reach a server, unless the address says otherwise. */
const connectSeconds = 3;

/** The values of target_session_attrs for which the server that accepts writes is right. */
const writingAttributes = ["any", "read-write", "primary"];

/**
 * Returns an address for each server that an address names in the way of libpq: `postgres://a:5432,b:5432/latchkey`.
 * Throws if the address is none.
 */
export function serversOf(address: string): URL[] {
  const [, start = "", hosts = "", rest = ""] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(address) ?? [];
  return hosts.split(",").map((host) => withTimeout(new URL(`${start}${host}${rest}`)));
}

function withTimeout(server: URL): URL {
  const options = server.searchParams;
  if (!options.has("connect_timeout")) options.set("connect_timeout", String(connectSeconds));
  return server;
}

/** A client with one connection, which it opens with its first statement. Throws if an option has a wrong value. */
export function newClient(server: URL, onclose?: (error: Error | null) => void): Bun.SQL {
  return new Bun.SQL(server, { max: 1, bigint: true, onclose });
}

export function connectMsMax(server: URL): number {
  return (Number(server.searchParams.get("connect_timeout")) || connectSeconds) * 1_000;
}

/** Returns why an address is refused, as the end of a sentence, or null. It repeats no value: it may be a password. */
export function addressProblem(address: string): string | null {
  const servers = readableServers(address);
  if (!servers)
    return "must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/latchkey";
  const [server] = servers as [URL];
  const option = (name: string) => server.searchParams.get(name) ?? "";
  if (`${option("host")}${option("port")}`.includes(",")) {
    return "must name several servers as in postgres://a:5432,b:5432/latchkey";
  }
  if (!writingAttributes.includes(option("target_session_attrs") || "any")) {
    return "needs target_session_attrs=read-write, because Latchkey writes";
  }
  return null;
}

function readableServers(address: string): URL[] | null {
  try {
    const servers = serversOf(address);
    const isOurs = ({ protocol, hostname, pathname }: URL) =>
      /^postgres(ql)?:$/.test(protocol) && hostname !== "" && pathname.length > 1;
    return servers.every(isOurs) ? servers : null;
  } catch {
    return null;
  }
}
