import { createNetworks, ipVersion, networkIn } from "../../core/ip-address.ts";

/** IANA's special-purpose networks, multicast, and addresses at which clouds give their machines credentials. */
const internal4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];

/** Only these are ever public: IPv6 outside them is local, reserved, or another form of an IPv4 address. */
const global6 = ["2000::/3", "64:ff9b::/96"];

/** NAT64 addresses of internal IPv4 addresses are here too. Teredo and 6to4 are obsolete, and hide an IPv4 address. */
const internal6 = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  ...internal4.map((text) => text.replace(/^(.+)\/(\d+)$/, (_, ip, bits) => `64:ff9b::${ip}/${96 + Number(bits)}`)),
];

const isInternal = networks([...internal4, ...internal6]);
const isGlobal6 = networks(global6);

/** Whether an address is one of the internet. False for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  const version = ipVersion(address);
  return version !== 0 && !isInternal.hold(address) && (version === 4 || isGlobal6.hold(address));
}

/** Whether the host of a URL is a literal internal address or `localhost`. Other names can only be resolved. */
export function isInternalUrl(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return /^(.+\.)?localhost\.?$/.test(host) || (ipVersion(host) !== 0 && !isPublicAddress(host));
}

function networks(texts: string[]) {
  return createNetworks(texts.flatMap((text) => networkIn(text) ?? []));
}
