import { accessSync, constants } from "node:fs";

/** How long connecting to a server may take, unless the address says otherwise. */
const connectSeconds = 3;

/** Options for other drivers that hosting providers append. PostgreSQL would refuse them. */
const otherDriversOptions = [
  ...["pgbouncer", "pool_mode", "pool_timeout", "connection_limit", "statement_cache_size", "socket_timeout"],
  ...["supa", "workaround", "uselibpqcompat"],
];

/** The values of target_session_attrs that a server which accepts writes satisfies. */
const writingAttributes = ["any", "read-write", "primary"];

const fileOptions = ["sslrootcert", "sslcert", "sslkey"];

/**
 * Returns one address for each server of an address like libpq's, `postgres://a:5432,b:5432/latchkey`. They have only
 * options that Bun or PostgreSQL understand. Throws for an invalid address.
 */
export function serversOf(address: string): URL[] {
  const [, start = "", hosts = "", rest = ""] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(address) ?? [];
  return hosts.split(",").map((host) => withOwnOptions(new URL(`${start}${host}${rest}`)));
}

function withOwnOptions(server: URL): URL {
  const options = server.searchParams;
  for (const name of [...options.keys()]) if (otherDriversOptions.includes(name.toLowerCase())) options.delete(name);
  // Prisma's name. The schema public needs no option, which some poolers would refuse.
  const schema = options.get("schema");
  options.delete("schema");
  if (schema && schema !== "public") options.set("search_path", `"${schema.replaceAll('"', '""')}"`);
  // Bun always sends UTF-8.
  options.delete("client_encoding");
  if (!options.has("application_name")) options.set("application_name", "latchkey");
  if (!options.has("connect_timeout")) options.set("connect_timeout", String(connectSeconds));
  return server;
}

/** A client with one connection, which it opens with its first statement. Throws if an option has a wrong value. */
export function newClient(server: URL, onclose?: (error: Error | null) => void): Bun.SQL {
  // Otherwise PGDATABASE would take priority over the address.
  const database = decodeURIComponent(server.pathname.slice(1));
  return new Bun.SQL(server, { max: 1, bigint: true, database, onclose });
}

export function connectMsMax(server: URL): number {
  return (Number(server.searchParams.get("connect_timeout")) || connectSeconds) * 1_000;
}

/**
 * Returns why an address is refused, as the end of a sentence, or null. It repeats no value, because that may be a
 * password.
 */
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
  const unreadable = fileOptions.find((name) => !isReadable(option(name)));
  if (unreadable) return `names a file in ${unreadable} that cannot be read`;
  try {
    newClient(server);
    return null;
  } catch (error) {
    return `cannot be used: ${(error as Error).message.replace(/\.? Received .*/s, "")}`;
  }
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

function isReadable(file: string): boolean {
  if (file === "" || file === "system") return true;
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
