import type { LookupAddress, LookupOptions } from "node:dns";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { msPerSecond } from "../../core/clock.ts";
import { isWebAddress } from "../../core/text.ts";
import { isPublicAddress } from "./public-addresses.ts";

const secondsMax = 10;
const responseBytesMax = 64 * 1024;

/** As `lookup` of node:dns. */
export type Resolve = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface Received {
  /** Null if there was no response. `text` then says why. */
  status: number | null;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Posts JSON to addresses that resellers chose, and never into the operator's own network. With `allowPrivate` it also
 * posts to private networks, by https or plain http.
 */
export function createGuardedPost({
  allowPrivate,
  resolve = systemLookup,
}: {
  allowPrivate: boolean;
  resolve?: Resolve | undefined;
}) {
  return async (address: string, headers: Record<string, string>, body: string): Promise<Received> => {
    const url = isWebAddress(address) ? URL.parse(address) : null;
    if (!url) return failed("The address is not valid.");
    const isHttps = url.protocol === "https:";
    if (!isHttps && !allowPrivate) return failed("The address must begin with https.");
    const mayReach = (ip: string) => (isPublicAddress(ip) ? isHttps : allowPrivate);
    const refusal = isHttps ? "The address is in a private network." : "A public address must begin with https.";
    // A host that is an IP address is not looked up.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (process.getBuiltinModule("node:net").isIP(host) !== 0 && !mayReach(host)) return failed(refusal);
    return post(url, { headers, body, lookup: checkedLookup(resolve, mayReach, refusal) });
  };
}

const systemLookup: Resolve = (host, options, done) => process.getBuiltinModule("node:dns").lookup(host, options, done);

/** Checks the addresses to which the connection is made: a name that was checked earlier may resolve to others now. */
function checkedLookup(resolve: Resolve, mayReach: (ip: string) => boolean, refusal: string): LookupFunction {
  return (host, options, done) =>
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const reachable = addresses.filter(({ address }) => mayReach(address));
      done(error ?? (reachable.length === 0 ? new Refused(refusal) : null), reachable);
    });
}

class Refused extends Error {}

const ownHeaders = { "content-type": "application/json", "user-agent": "Latchkey" };

/** Follows no redirects. Of a response that is too large or too slow, it returns the beginning. */
function post(
  url: URL,
  { headers, body, lookup }: { headers: Record<string, string>; body: string; lookup: LookupFunction },
): Promise<Received> {
  return new Promise((resolve) => {
    const { request } = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
    // Without an agent, every request makes a connection, so every one is checked.
    const outgoing = request(url, { method: "POST", headers: { ...ownHeaders, ...headers }, lookup, agent: false });
    const timer = setTimeout(() => end(`No response within ${secondsMax} seconds.`), secondsMax * msPerSecond);
    let response: IncomingMessage | null = null;
    const chunks: Buffer[] = [];
    let bytes = 0;

    outgoing.on("response", (incoming) => {
      response = incoming;
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= responseBytesMax) end();
      });
      incoming.on("error", () => end());
      incoming.on("close", () => end());
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => end(problemOf(error)));
    outgoing.on("close", () => end());
    outgoing.end(body);

    function end(problem = "The connection was closed without a response.") {
      clearTimeout(timer);
      outgoing.destroy();
      const text = Buffer.concat(chunks).subarray(0, responseBytesMax).toString();
      resolve(response ? { status: response.statusCode ?? null, headers: response.headers, text } : failed(problem));
    }
  });
}

/** Other messages of Node may contain an address. */
function problemOf(error: NodeJS.ErrnoException): string {
  return error instanceof Refused ? error.message : `The connection failed: ${error.code ?? "unknown error"}.`;
}

function failed(text: string): Received {
  return { status: null, headers: {}, text };
}
