import dns from "node:dns";

/**
 * Runs `latchkey` from source with a resolver in an attacker's hands: every second time, `rebinding.test` is this
 * machine, and otherwise a public address to which no network has a route.
 */
const addresses = [
  { address: "2e00::1", family: 6 },
  { address: "127.0.0.1", family: 4 },
];
const { lookup } = dns;
let lookups = 0;

dns.lookup = Object.assign((host: string, ...rest: unknown[]) => {
  if (host !== "rebinding.test") return Reflect.apply(lookup, dns, [host, ...rest]);
  const done = rest.at(-1) as (error: null, found: typeof addresses) => void;
  done(null, [addresses[lookups % 2] as (typeof addresses)[0]]);
  lookups += 1;
}, lookup);

await import("../../../src/main.ts");
