import { getLogger } from "@logtape/logtape";
import { createNetworks, ipVersion, type Network } from "../core/ip-address.ts";
import { Refusal } from "../core/refusal.ts";

const log = getLogger(["latchkey", "http"]);

/** From where a call came, as limits count it, and under which id the log names it. */
export interface Origin {
  address: string;
  requestId: string;
}

/** What can be known of who sent a request, and by which way. */
export interface Peers {
  /** The sender's address, as limits count it: an IPv6 address stands for its /64, which one household owns whole. */
  addressOf(request: Request): string;
  isHttps(request: Request): boolean;
  /** Refuses an unsafe call that a page of another site makes a browser send. What is no browser says neither and passes. */
  refuseCrossSite(request: Request): void;
  /** The address that was asked for. Refuses a Host that is no host name, two of them or, once PUBLIC_URL says what ours is, not ours. */
  addressAsked(request: Request): URL;
  /** Whether `addressAsked` would answer. It reads no address for a Host that it has seen. */
  isAskedForUs(request: Request): boolean;
}

/** How many Host headers are remembered as ours: clients use few, and who invents more is only looked at more closely. */
const hostsMax = 100;

/** How many addresses are remembered as trusted: who names a network as proxies may have more, which are only looked at more closely. */
const trustedMax = 100;

/** Nothing else is at these addresses, and nothing there is anybody's secret without a token. */
const watchedAddress = /^https?:\/\/[^/?#,]+\/(healthz|readyz|metrics)(\?|$)/;

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function createPeers({
  publicUrl,
  trustedProxies,
  socketAddressOf,
}: {
  publicUrl: URL | null;
  trustedProxies: readonly Network[];
  /** The other end of the request's socket, which may be a proxy's. */
  socketAddressOf: (request: Request) => string | undefined;
}): Peers {
  let isProxyUnnamed = false;
  const proxies = createNetworks(trustedProxies);

  const hostsOfOurs = new Set<string>();
  const trustedSeen = new Set<string>();

  return {
    addressOf(request) {
      return groupOf(senderOf(request));
    },
    isHttps(request) {
      if (publicUrl) return publicUrl.protocol === "https:";
      if (isTrusted(socketAddressOf(request))) return request.headers.get("x-forwarded-proto") === "https";
      return request.url.startsWith("https:");
    },
    refuseCrossSite(request) {
      const site = request.headers.get("sec-fetch-site");
      if (site !== null) {
        if (site === "same-origin" || site === "none") return;
        throw crossSite();
      }
      const origin = request.headers.get("origin");
      if (origin !== null && !isOwnOrigin(origin, request)) throw crossSite();
    },
    addressAsked(request) {
      const url = addressOfOurs(request) ?? addressOfWatchers(request);
      if (url) return url;
      throw new Refusal("UNKNOWN_HOST", "This server does not answer to that host name.");
    },
    isAskedForUs(request) {
      const host = request.headers.get("host");
      if (host !== null && hostsOfOurs.has(host)) return true;
      if (!addressOfOurs(request)) return false;
      if (host !== null && hostsOfOurs.size < hostsMax) hostsOfOurs.add(host);
      return true;
    },
  };

  function addressOfOurs(request: Request): URL | null {
    // Two Host headers come as one with a comma, and its first part as the address: a proxy may have gone by the second.
    const isOne = !request.headers.get("host")?.includes(",");
    const url = isOne ? URL.parse(request.url) : null;
    const ours = !publicUrl || url?.hostname === publicUrl.hostname || loopbackHosts.has(url?.hostname ?? "");
    return ours ? url : null;
  }

  /** Whoever watches over the server (an orchestrator, a balancer, a scraper) asks it by its own address. */
  function addressOfWatchers(request: Request): URL | null {
    return watchedAddress.test(request.url) ? URL.parse(request.url) : null;
  }

  function senderOf(request: Request): string {
    const forwarded = request.headers.get("x-forwarded-for");
    const peer = plain(socketAddressOf(request) ?? "unknown");
    if (forwarded === null) return peer;
    if (isTrusted(peer)) return senderIn(forwarded, peer);
    warnOfUnnamedProxy(peer);
    return peer;
  }

  /** The last address in the chain that no proxy of ours wrote: anything before it, or what is no address, is the sender's own claim. */
  function senderIn(forwarded: string, trustedPeer: string): string {
    let sender = trustedPeer;
    for (let end = forwarded.length; end >= 0; ) {
      const comma = forwarded.lastIndexOf(",", end - 1);
      const address = plain(forwarded.slice(comma + 1, end).trim());
      if (ipVersion(address) === 0) return sender;
      sender = address;
      // What nobody stands before is the sender, trusted or not, and need not be looked for.
      if (comma === -1 || !isTrusted(sender)) return sender;
      end = comma;
    }
    return sender;
  }

  /** Once: behind a proxy that is not named everybody has one address, and strangers' wrong passwords count against all. */
  function warnOfUnnamedProxy(peer: string): void {
    if (isProxyUnnamed) return;
    isProxyUnnamed = true;
    log.warn(
      "{peer} sends X-Forwarded-For, and TRUSTED_PROXIES does not name it. If it is your proxy, name it: until then limits take everybody behind it for one sender.",
      { peer, setting: "TRUSTED_PROXIES" },
    );
  }

  function isTrusted(address: string | undefined): boolean {
    if (!address) return false;
    if (trustedSeen.has(address)) return true;
    if (!proxies.hold(plain(address))) return false;
    if (trustedSeen.size < trustedMax) trustedSeen.add(address);
    return true;
  }

  function isOwnOrigin(origin: string, request: Request): boolean {
    const host = URL.parse(origin)?.host;
    return host !== undefined && host !== "" && (host === URL.parse(request.url)?.host || host === publicUrl?.host);
  }
}

function crossSite(): Refusal {
  return new Refusal("CROSS_SITE", "This call must come from Latchkey's own pages.");
}

/** Without a port, which some proxies add. A socket that listens on IPv6 writes IPv4 addresses as ::ffff:192.0.2.1. */
function plain(address: string): string {
  if (!address.includes(":")) return address;
  const [, bracketed, dotted] = address.match(/^\[(.+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/) ?? [];
  return (bracketed ?? dotted ?? address).replace(/^::ffff:(?=\d+\.)/i, "");
}

function groupOf(address: string): string {
  if (!address.includes(":") || ipVersion(address) !== 6) return address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*/, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}
