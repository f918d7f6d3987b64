import assert from "node:assert/strict";
import { createClient } from "../client.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const resellers = 5;
const aucOff = { short: 0.3, long: 0.05 };

export const drill: Drill<{ each: number }> = {
  number: "R12",
  promise:
    "logins of known and unknown names are answered the same, and how long it takes tells no better than a coin which it was",
  sizes: { short: { each: 40 }, long: { each: 500 } },
  async run({ each }, form) {
    // Whoever shares an owner's address may learn that the name signs in from there, so this asker comes from elsewhere.
    const server = await supervise({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    const shop = await openShop(server.url, resellers);
    const stranger = createClient(server.url);
    const took = { known: [] as number[], unknown: [] as number[] };
    const answers = new Set<string>();
    for (let asked = 0; asked < 2 * each; asked += 1) {
      const kind = asked % 2 === 0 ? "known" : "unknown";
      const known = shop.resellers[asked % resellers]?.username;
      const username = kind === "known" ? known : `nobody${asked}`;
      const startedAt = performance.now();
      const { status, text, headers } = await stranger.post(
        "/api/auth/reseller/login",
        { username, password: "wrong-password" },
        { "x-forwarded-for": "198.51.100.7" },
      );
      took[kind].push(performance.now() - startedAt);
      answers.add(JSON.stringify([status, text, [...headers.keys()].sort()]));
    }
    await server.close();
    assert.deepEqual(answers.size, 1, `They are answered differently: ${[...answers].join(" and ")}`);
    const auc = aucOf(took.known, took.unknown);
    const off = aucOff[form === "long" ? "long" : "short"];
    assert.ok(Math.abs(auc - 0.5) <= off, `Time tells known names from unknown ones: AUC ${auc.toFixed(3)}.`);
    return `${each} logins of each kind, one answer, AUC ${auc.toFixed(3)} (0.5 is a coin)`;
  },
};

/** How often a draw from the first is above one from the second: the area under the curve of whoever judges by time. */
function aucOf(first: number[], second: number[]): number {
  const above = first.reduce(
    (sum, a) => sum + second.reduce((wins, b) => wins + (a > b ? 1 : a === b ? 0.5 : 0), 0),
    0,
  );
  return above / (first.length * second.length);
}
