import { Database as Connection } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { isoOf } from "../../src/core/clock.ts";
import { createClient, signInAdmin } from "../client.ts";
import { startLatchkey, temporaryFolder } from "../process.ts";

const dataFolder = temporaryFolder();
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

const commitMsMax = 10_000;

test("a server that is killed between the commit and the response of a first use has started the key once", async () => {
  const killed = await startLatchkey({ dataFolder });
  const admin = await signInAdmin(() => createClient(killed.url));
  const order = { game: "FREE FIRE", deviceLimit: 2, count: 1, starts: "first_use", durationHours: 36 };
  const [{ keyString }] = (await admin.post("/api/admin/keys/generate", order)).body.keys;
  const ask = (url: string, deviceId: string) =>
    createClient(url).post("/api/verify", { key: keyString, game: "FREE FIRE", deviceId });
  const connection = new Connection(join(dataFolder, "latchkey.db"), { readonly: true });
  const started = connection.query<{ at: number; expiresAt: number }, []>(
    "SELECT started_at AS at, expires_at AS expiresAt FROM license_keys WHERE started_at IS NOT NULL",
  );

  const sent = ask(killed.url, "phone").catch(() => null);
  // This loop blocks the process until the commit is visible, so the response is not read before the kill.
  const lateAt = performance.now() + commitMsMax;
  while (started.get() === null) expect(performance.now()).toBeLessThan(lateAt);
  await killed.kill();
  await sent;
  const before = started.get();

  const again = await startLatchkey({ dataFolder });
  for (const deviceId of ["phone", "tablet"]) {
    expect((await ask(again.url, deviceId)).body).toMatchObject({
      code: "VALID",
      expiry: isoOf(before?.expiresAt ?? 0),
    });
  }
  expect(started.all()).toEqual(before ? [before] : []);
  expect(connection.query("SELECT count(*) AS n FROM key_events WHERE what = 'STARTED'").get()).toEqual({ n: 1 });
  connection.close();
  expect(await again.stop()).toBe(0);
});
