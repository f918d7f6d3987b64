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

/** Whether an address is in one of these networks. Node's own list is loaded at the first call, for the same reason. */
export function createNetworks(networks: readonly Network[]): { hold(address: string): boolean } {
  const listed = () => {
    const { BlockList } = process.getBuiltinModule("node:net");
    const list = new BlockList();
    for (const { address, prefix, version } of networks) list.addSubnet(address, prefix, `ipv${version}`);
    return list;
  };
  let list: ReturnType<typeof listed> | null = null;

  return {
    hold(address) {
      const version = ipVersion(address);
      if (networks.length === 0 || version === 0) return false;
      list ??= listed();
      // The part after a % names an interface of this machine.
      return list.check(address.replace(/%.*/, ""), `ipv${version}`);
    },
  };
}
