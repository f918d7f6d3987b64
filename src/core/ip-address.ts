import ipRegex from "ip-regex";

const [ipv4, ipv6] = [ipRegex.v4({ exact: true }), ipRegex.v6({ exact: true })];
/**
 * An address with its interface (`fe80::1%eth0.100`), with the characters that Node allows: `ip-regex` allows neither
 * dot nor dash.
 */
const zoned = /^([^%]+)%[-.:\da-zA-Z]+$/;

/**
 * Returns 4, 6, or 0 for any other text, like `isIP` of node:net, which would load all of Node's streams at each start.
 */
export function ipVersion(text: string): 0 | 4 | 6 {
  if (ipv4.test(text)) return 4;
  return ipv6.test(text.replace(zoned, "$1")) ? 6 : 0;
}

/** `prefix` is in bits: 32 or 128 for one address. It names no interface (`%eth0`). */
export interface Network {
  address: string;
  prefix: number;
  version: 4 | 6;
}

/** Returns the network that a text names, such as `10.0.0.0/8`, or the one of a single address; null for other texts. */
export function networkIn(text: string): Network | null {
  const [address = "", bits, ...more] = text.split("/");
  const version = ipVersion(address);
  const bitsMax = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? bitsMax : Number(bits);
  const isWrong = version === 0 || address.includes("%") || more.length > 0 || !/^\d{1,3}$/.test(bits ?? "0");
  return isWrong || prefix > bitsMax ? null : { address, prefix, version };
}

/** Whether an address is in one of these networks. Node's own list is loaded at the first call, for the same reason. */
export function createNetworks(networks: readonly Network[]): { hold(address: string): boolean } {
  const listed = () => {
    const { BlockList } = process.getBuiltinModule("node:net");
    const list = new BlockList();
    for (const { address, prefix, version } of networks) list.addSubnet(address, prefix, `ipv${version}`);
    return list;
  };
  let list: ReturnType<typeof listed> | null = null;
  // Most requests come from the same proxy, and each check makes objects.
  let last = { address: "", isHeld: false };

  return {
    hold(address) {
      if (address !== last.address) last = { address, isHeld: isListed(address) };
      return last.isHeld;
    },
  };

  function isListed(address: string): boolean {
    const version = ipVersion(address);
    if (networks.length === 0 || version === 0) return false;
    list ??= listed();
    // The part after a % names an interface of this machine.
    return list.check(address.replace(/%.*/, ""), `ipv${version}`);
  }
}
