import { Database as Connection } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { contentRules } from "../../src/db/copies/content-rules.ts";
import { createClient, signInAdmin } from "../client.ts";
import { startLatchkey, temporaryFolder } from "../process.ts";

const lines = 1_500;
const dataFolder = temporaryFolder();
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test("an import by a call, and its undo, that are killed halfway continue by themselves, and each line is handled once", async () => {
  const importing = await startLatchkey({ dataFolder });
  const connection = new Connection(join(dataFolder, "latchkey.db"), { readonly: true });
  const count = (table: string) =>
    connection.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const wrong = () => contentRules.filter(({ broken }) => connection.query(broken).get() !== null);
  const admin = (url: string) => signInAdmin(() => createClient(url));
  const rows = Array.from({ length: lines }, (_, at) => `KEY-${at},FREE FIRE,2099-01-31,2,a-${at} b`);
  const file = ["key,game,expires,device_limit,devices", ...rows].join("\n");
  const started = await (await admin(importing.url)).post("/api/admin/imports", file, { "content-type": "text/csv" });
  expect(started.status).toBe(202);
  await until(() => count("license_keys") > 0);
  await importing.kill();
  const done = count("license_keys");
  expect(done).toBeLessThan(lines);
  expect([count("key_devices"), wrong()]).toEqual([2 * done, []]);

  const undoing = await startLatchkey({ dataFolder });
  const again = await admin(undoing.url);
  const path = `/api/admin/imports/${started.body.id}`;
  await until(() => count("imports WHERE state = 'finished'") > 0);
  expect((await again.get(path)).body).toMatchObject({ state: "finished", valid: lines, duplicate: 0, done: lines });
  expect([count("license_keys"), count("key_devices"), count("orders"), wrong()]).toEqual([lines, 2 * lines, 1, []]);
  const undone = again.post(`${path}/undo`).catch(() => null);
  await until(() => count("license_keys") < lines);
  await undoing.kill();
  await undone;
  expect(count("license_keys")).toBeGreaterThan(0);
  expect(wrong()).toEqual([]);

  const last = await startLatchkey({ dataFolder });
  await until(() => count("license_keys") === 0);
  expect([count("key_devices"), count("orders WHERE key_count = 0"), wrong()]).toEqual([0, 1, []]);
  connection.close();
  expect(await last.stop()).toBe(0);
});
