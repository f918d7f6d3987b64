import { getLogger } from "@logtape/logtape";
import { createNetworks, ipVersion, type Network } from "../core/ip-address.ts";

const log = getLogger(["latchkey", "http"]);

export interface ClientAddressDependencies {
  publicUrl: URL | null;
  trustedProxies: readonly Network[];
  /** Its server knows the address at the other end of a connection, which may be a proxy's. */
  app: { readonly server: { requestIP(request: Request): { address: string } | null } | null };
}

/** Says who sent a request. Headers of proxies count only if TRUSTED_PROXIES names the proxy. */
export function createClientAddresses({ publicUrl, trustedProxies, app }: ClientAddressDependencies) {
  const proxies = createNetworks(trustedProxies);
  let hasWarned = false;
  /** A socket that is closed or upgraded has no address, so the first result is kept. */
  const known = new WeakMap<Request, string>();

  return { addressOf, exactAddressOf: clientAddress, isHttps };

  /**
   * Returns the client's address as limits count it. An IPv6 address becomes its /64, because one household has a whole
   * /64.
   */
  function addressOf(request: Request): string {
    return networkOf(clientAddress(request));
  }

  function socketAddressOf(request: Request): string | undefined {
    return app.server?.requestIP(request)?.address;
  }

  function isHttps(request: Request): boolean {
    if (publicUrl) return publicUrl.protocol === "https:";
    // The first of several proxies is the one that the client reached.
    if (isTrusted(socketAddressOf(request))) return /^https\b/i.test(request.headers.get("x-forwarded-proto") ?? "");
    return request.url.startsWith("https:");
  }

  function clientAddress(request: Request): string {
    const kept = known.get(request);
    if (kept !== undefined) return kept;
    const socketAddress = socketAddressOf(request);
    const address = senderOf(request, normalize(socketAddress ?? "unknown"));
    if (socketAddress !== undefined) known.set(request, address);
    return address;
  }

  function senderOf(request: Request, peer: string): string {
    const forwarded = request.headers.get("x-forwarded-for");
    if (forwarded === null) return peer;
    if (isTrusted(peer)) return forwardedAddress(forwarded, peer);
    warnOfUnnamedProxy(peer);
    return peer;
  }

  /**
   * Returns the last address in X-Forwarded-For that is not a trusted proxy's. The client may have written everything
   * before it. The search ends at anything that is not an address.
   */
  function forwardedAddress(forwarded: string, peer: string): string {
    let client = peer;
    let rest = forwarded;
    while (true) {
      const comma = rest.lastIndexOf(",");
      const address = normalize(rest.slice(comma + 1).trim());
      if (ipVersion(address) === 0) return client;
      client = address;
      if (comma === -1 || !isTrusted(client)) return client;
      rest = rest.slice(0, comma);
    }
  }

  /**
   * Logs it once: behind an unnamed proxy all clients share one address, and one client's wrong passwords count against
   * all.
   */
  function warnOfUnnamedProxy(peer: string): void {
    if (hasWarned) return;
    hasWarned = true;
    log.warn(
      "{peer} sends X-Forwarded-For, and TRUSTED_PROXIES does not name it. If it is your proxy, name it: until then limits count everyone behind it as one client.",
      { peer, setting: "TRUSTED_PROXIES" },
    );
  }

  function isTrusted(address: string | undefined): boolean {
    return address !== undefined && proxies.hold(normalize(address));
  }
}

/**
 * Removes the port that some proxies add, and writes an IPv4 address within IPv6 as IPv4: a socket that listens on IPv6
 * reports ::ffff:192.0.2.1, and some proxies send ::ffff:c000:201.
 */
function normalize(address: string): string {
  if (!address.includes(":")) return address;
  const [, bracketed, dotted] = address.match(/^\[(.+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/) ?? [];
  if (dotted !== undefined) return dotted;
  const plain = bracketed ?? address;
  const [, high, low] = URL.parse(`http://[${plain}]`)?.hostname.match(/^\[::ffff:([\da-f]+):([\da-f]+)\]$/) ?? [];
  if (high === undefined || low === undefined) return plain;
  const bytes = [high, low].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
  return bytes.join(".");
}

/** Returns the /64 of an IPv6 address, and any other text unchanged. */
function networkOf(address: string): string {
  if (!address.includes(":") || ipVersion(address) !== 6) return address;
  const [head = "", tail] = address.toLowerCase().replace(/%.*/, "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}
