import type { Drill } from "./harness/drill.ts";
import { beginMixedWrites, openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

/** The time from the first write to the kill: long enough for hundreds of commits, and random within a commit. */
const killAfterMs = { min: 20, sqliteMax: 250, postgresMax: 1_000 };

/** A full check after every so many kills: it gets slower as the file grows, and damage is permanent. */
const wholeEvery = 20;

export const drill: Drill<{ kills: number }> = {
  number: "R1",
  promise:
    "kill -9 during mixed writes loses nothing that was acknowledged, and leaves every balance and every count right",
  onPostgres: true,
  sizes: { short: { kills: 20 }, long: { kills: 1_000 } },
  async run({ kills }) {
    const server = await supervise();
    const shop = await openShop(server.url);
    const witness = createWitness();
    const maxMs = server.stored.engine === "sqlite" ? killAfterMs.sqliteMax : killAfterMs.postgresMax;
    for (let killed = 1; killed <= kills; killed += 1) {
      const { ended } = beginMixedWrites({ url: server.url, shop, witness });
      await Bun.sleep(killAfterMs.min + Math.random() * (maxMs - killAfterMs.min));
      await server.kill();
      await ended;
      const isWhole = killed % wholeEvery === 0 || killed === kills;
      if (isWhole) await server.stored.assertIntegrity();
      await server.start();
      await witness.assertNothingLost(server.stored, isWhole ? "all" : "newest");
    }
    await server.close();
    return `${kills} kills, ${witness.count().toLocaleString("en-US")} acknowledged writes, 0 lost`;
  },
};
