import assert from "node:assert/strict";
import { createClient } from "../client.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const resellers = 5;
const aucErrorMax = { short: 0.3, long: 0.05 };

export const drill: Drill<{ each: number }> = {
  number: "R12",
  promise:
    "logins with known and unknown names get the same response, and response times reveal the difference no better than a coin",
  sizes: { short: { each: 40 }, long: { each: 500 } },
  async run({ each }, form) {
    // A client with the reseller's address may learn that the name signs in from there, so this client has another
    // address.
    const server = await supervise({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    const shop = await openShop(server.url, resellers);
    const stranger = createClient(server.url);
    const durations = { known: [] as number[], unknown: [] as number[] };
    const responses = new Set<string>();
    for (let sent = 0; sent < 2 * each; sent += 1) {
      const kind = sent % 2 === 0 ? "known" : "unknown";
      const known = shop.resellers[sent % resellers]?.username;
      const username = kind === "known" ? known : `nobody${sent}`;
      const startedAt = performance.now();
      const { status, text, headers } = await stranger.post(
        "/api/auth/reseller/login",
        { username, password: "wrong-password" },
        { "x-forwarded-for": "198.51.100.7" },
      );
      durations[kind].push(performance.now() - startedAt);
      responses.add(JSON.stringify([status, text, [...headers.keys()].sort()]));
    }
    await server.close();
    assert.deepEqual(responses.size, 1, `Responses differ: ${[...responses].join(" and ")}`);
    const auc = aucOf(durations.known, durations.unknown);
    const errorMax = aucErrorMax[form === "long" ? "long" : "short"];
    assert.ok(Math.abs(auc - 0.5) <= errorMax, `Response times reveal known names: AUC ${auc.toFixed(3)}.`);
    return `${each} logins of each kind, one response, AUC ${auc.toFixed(3)} (0.5 is a coin)`;
  },
};

/** The probability that a value from the first exceeds one from the second: the area under the ROC curve. */
function aucOf(first: number[], second: number[]): number {
  const above = first.reduce(
    (sum, a) => sum + second.reduce((wins, b) => wins + (a > b ? 1 : a === b ? 0.5 : 0), 0),
    0,
  );
  return above / (first.length * second.length);
}
