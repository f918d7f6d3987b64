import type { HttpRequest } from "./actions.ts";
import type { HttpResponse } from "./explain.ts";

/** A run as a shell script, which reproduces it unless the failure depends on exact timing. */
export interface Transcript {
  /** Requests that were sent at once, with their responses; `null` means no response. */
  together(sent: { request: HttpRequest; response: HttpResponse | null }[]): void;
  killed(): void;
  clockStepped(aheadMs: number): void;
  /** Generated texts. The script samples them up by id and stores them in variables. */
  defineVariables(tokens: Iterable<{ id: number; text: string }>, keys: Iterable<{ id: number; text: string }>): void;
  /** Remembers the account behind a cookie. */
  signedIn(cookie: string, username: string): void;
  text(): string;
}

const preamble = `url=http://localhost:3000   # RATE_LIMITS=off, ADMIN_USERNAME=admin and ADMIN_PASSWORD=test-admin-password, on an empty folder
json='Content-Type: application/json'
curl -sS -c admin.cookies -H "$json" -d '{"username":"admin","password":"test-admin-password"}' $url/api/auth/admin/login`;

export function createTranscript(): Transcript {
  const lines: string[] = [];
  const named = new Map<string, { name: string; command: string }>();
  const introduced = new Set<string>();
  const jars = new Map<string, string>();

  return {
    together(sent) {
      const commands = sent.map(
        ({ request, response }) => `${curlOf(request)}${sent.length > 1 ? " &" : ""}  # ${summaryOf(response)}`,
      );
      for (const [text, { name, command }] of named) {
        if (introduced.has(name) || !commands.some((line) => line.includes(`$${name}`))) continue;
        introduced.add(name);
        lines.push(`${name}=$(${command})  # ${text}`);
      }
      lines.push(...commands, ...(sent.length > 1 ? ["wait"] : []));
    },
    killed: () =>
      void lines.push(
        "# the server is killed with -9 during the requests before and restarted on the same data folder",
      ),
    clockStepped: (aheadMs) =>
      void lines.push(
        `echo ${aheadMs} > ahead   # CLOCK_AHEAD=ahead bun tests/drills/harness/clocked-latchkey.ts runs the server`,
      ),
    defineVariables(tokens, keys) {
      for (const { id, text } of tokens) {
        const command = `curl -sS -b admin.cookies $url/api/admin/tokens | tr '{' '\\n' | sed -n 's/.*"id":${id},"token":"\\([^"]*\\)".*/\\1/p'`;
        named.set(text, { name: `token${id}`, command });
      }
      for (const { id, text } of keys) {
        if (!/^[A-Z]{4}(-[A-Z0-9]{5}){3}$/.test(text)) continue;
        const command = `curl -sS -b admin.cookies $url/api/admin/keys/${id}/details | sed -n 's/.*"keyString":"\\([^"]*\\)".*/\\1/p'`;
        // A key that was replaced has had several texts.
        const variable = `${id}_${text.slice(-5)}`;
        named.set(text, { name: `key${variable}`, command });
        named.set(text.toLowerCase(), { name: `lower${variable}`, command: `${command} | tr A-Z a-z` });
      }
    },
    signedIn: (cookie, username) => void jars.set(cookie, `${username}.cookies`),
    text: () => [preamble, ...lines].join("\n"),
  };

  function curlOf({ method, path, body, cookie, headers = {} }: HttpRequest): string {
    const jar = cookie === undefined ? loginJar(path, body) : ` -b ${jars.get(cookie) ?? "lost.cookies"}`;
    const how = method === (body === undefined ? "GET" : "POST") ? "" : ` -X ${method}`;
    const more = Object.entries(headers)
      .map(([name, value]) => ` -H '${name}: ${value}'`)
      .join("");
    const data = body === undefined ? "" : ` -H "$json" -d '${quoted(JSON.stringify(body))}'`;
    return `curl -sS${jar}${how}${more}${data} "$url${variablesIn(path)}"`;
  }

  function loginJar(path: string, body: unknown): string {
    return path.endsWith("/login") ? ` -c ${(body as { username: string }).username}.cookies` : "";
  }

  function quoted(text: string): string {
    return variablesIn(text.replaceAll("'", `'\\''`), (name) => `'"$${name}"'`);
  }

  function variablesIn(text: string, written = (name: string) => `$${name}`): string {
    return [...named].reduce((changed, [from, { name }]) => changed.replaceAll(from, written(name)), text);
  }
}

function summaryOf(response: HttpResponse | null): string {
  if (response === null) return "no response";
  const { status, body } = response;
  const text = JSON.stringify(body) ?? "";
  return `${status} ${text.length > charactersShownMax ? `${text.slice(0, charactersShownMax)}…` : text}`;
}

/** The violations are listed below the transcript, so a response only needs to be recognisable. */
const charactersShownMax = 160;
