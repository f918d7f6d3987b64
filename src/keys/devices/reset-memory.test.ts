import { afterAll, beforeAll, expect, test } from "bun:test";
import { signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { createActs } from "../../accounts/acts.ts";
import type { Caller } from "../../accounts/caller.ts";
import type { Database } from "../../db/contract.ts";
import { createStandings } from "../standings.ts";
import { resetAllDevices } from "./device-reset.ts";

/** Several slices. */
const keyTexts = Array.from({ length: 900 }, (_, number) => `KEY-${number + 1}`);

let panel: Panel;
beforeAll(async () => {
  panel = await openPanel();
  await panel.database.transaction(async (sql) => {
    for (const text of keyTexts)
      await sql`
        INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, created_by)
        VALUES (${text}, 'FREE FIRE', 2, 1, 9000000000000, 1)`;
  });
});
afterAll(() => panel.close());

const connectDevices = () =>
  panel.database.transaction(async (sql) => {
    await sql`DELETE FROM key_devices`;
    await sql`INSERT INTO key_devices (key_id, device_id, first_connected_at) SELECT id, 'phone', 1 FROM license_keys`;
  });

async function keysInUse(): Promise<Set<string>> {
  const rows = await panel.database.read<{ key: string }>`
    SELECT key_string AS key FROM license_keys WHERE id IN (SELECT key_id FROM key_devices)`;
  return new Set(rows.map(({ key }) => key));
}

test("what is remembered of devices holds until the reset reaches their keys, and no longer", async () => {
  const admin = await signInAdmin(panel.newClient);
  const [{ id: sessionId }] = (await admin.get("/api/auth/sessions")).body;
  const caller: Caller = { id: 1, username: "admin", role: "admin", sessionId, address: "::1", requestId: "r" };
  const now = () => panel.clock.now;
  const { database } = panel;
  // On a machine at its limit a commit of our own may come between a chore and what is learnt of it: then all is forgotten, and this begins anew.
  for (let version: number | null = -1; database.versionByOthers() !== version; ) {
    await connectDevices();
    const standings = createStandings({ database, randomBytes: (bytes) => crypto.getRandomValues(bytes) });
    const remembered = () => keyTexts.filter((key) => standings.remembered(key, "phone"));
    while (remembered().length === 0) await standings.rememberConnected();
    const atFirst = remembered();
    version = database.versionByOthers();
    const looks: { stale: number; lost: number; left: number }[] = [];
    const looking: Database = {
      ...database,
      async aside(...asked) {
        const result = await database.aside(...asked);
        const known = remembered();
        const inUse = await keysInUse();
        const lost = atFirst.filter((key) => inUse.has(key)).length - known.length;
        looks.push({ stale: known.filter((key) => !inUse.has(key)).length, lost, left: known.length });
        return result;
      },
    };
    await resetAllDevices({ database: looking, acts: createActs({ database, now }), standings, now }, caller);
    expect(looks.length).toBeGreaterThan(3);
    expect(looks.filter(({ stale }) => stale > 0)).toEqual([]);
    expect(looks.at(-1)?.left).toBe(0);
    if (database.versionByOthers() !== version) continue;
    expect(looks.filter(({ lost }) => lost > 0)).toEqual([]);
  }
});
