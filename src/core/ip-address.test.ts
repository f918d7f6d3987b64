import { expect, test } from "bun:test";
import { isIP } from "node:net";
import fc from "fast-check";
import { createNetworks, ipVersion } from "./ip-address.ts";

test("addresses are recognised as by Node", () => {
  const nearly = fc.string({ unit: fc.constantFrom(..."0123456789abcdefF:.[]/@# %x-"), maxLength: 24 });
  const zoned = fc.tuple(fc.ipV6(), nearly).map(([address, zone]) => `${address}%${zone}`);
  const quad = fc
    .array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 5 })
    .map((parts) => parts.join("."));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), quad, nearly, zoned), (text) => {
      expect([text, ipVersion(text)]).toEqual([text, isIP(text) as 0 | 4 | 6]);
    }),
    { numRuns: 5_000 },
  );
  for (const text of [
    "",
    "::",
    "::1",
    "::ffff:192.0.2.1",
    "1.2.3.4.",
    "01.2.3.4",
    "1.2.3",
    "::1]/x[",
    "1::2::3",
    ":",
    "::1.2.3",
    "::%:",
    "fe80::1%eth0.100",
    "fe80::1%wlan-0%1",
  ]) {
    expect([text, ipVersion(text)]).toEqual([text, isIP(text) as 0 | 4 | 6]);
  }
});

test("networks of either version contain exactly their addresses", () => {
  const networks = createNetworks([
    { address: "10.1.0.0", prefix: 16, version: 4 },
    { address: "2001:db8::", prefix: 32, version: 6 },
  ]);
  const held = ["10.1.255.7", "2001:db8:1::9", "2001:db8:1::9%eth0", "2001:db8:1::9%eth0.100"];
  const not = ["10.2.0.1", "fe80::1%eth0", "unknown", ""];
  expect(held.map(networks.hold)).toEqual([true, true, true, true]);
  expect(not.map(networks.hold)).toEqual([false, false, false, false]);
  expect(["10.1.0.1", "10.1.0.1", "10.2.0.1", "10.1.0.1"].map(networks.hold)).toEqual([true, true, false, true]);
  expect(createNetworks([]).hold("10.1.0.1")).toBe(false);
});
