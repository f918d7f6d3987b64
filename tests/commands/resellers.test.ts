import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withDatabase } from "../backup-stage.ts";
import { createClient, registerReseller, signInAdmin } from "../client.ts";
import { runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => runLatchkey(words, { environment: { DATA_DIR: folder }, cwd: folder });
const accountsAndAudit = () =>
  withDatabase(join(folder, "latchkey.db"), (connection) =>
    JSON.stringify([connection.query("SELECT * FROM accounts").all(), connection.query("SELECT * FROM audit").all()]),
  );

test("resellers erase needs a suspended reseller and a stopped server, and a dry run changes nothing", async () => {
  const server = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(server.url);
  const admin = await signInAdmin(newClient);
  const { id } = await registerReseller(newClient, admin, { username: "night.owl", credits: 5 });
  expect((await run("resellers", "erase", "night.owl")).stderr).toContain("Another Latchkey is running");
  await server.stop();
  expect(await run("resellers", "erase", "night.owl")).toMatchObject({
    ...{ code: 1, stderr: "night.owl is not suspended. Suspend the reseller first.\n" },
  });

  const again = await startLatchkey({ dataFolder: folder });
  const second = await signInAdmin(() => createClient(again.url));
  await second.post(`/api/admin/resellers/${id}/toggle-status`, { isActive: false });
  await again.stop();
  const before = accountsAndAudit();
  const dry = await run("resellers", "erase", "NIGHT.owl", "--dry-run");
  expect(dry.stdout).toMatch(
    new RegExp(`^night.owl would become erased-${id}:\n {2}accounts +1\n {2}audit +\\d\n {2}known_addresses +[12]\n`),
  );
  expect(dry.stdout).toContain("Nothing was changed.");
  expect(accountsAndAudit()).toBe(before);

  expect((await run("resellers", "erase", "night.owl")).stdout).toStartWith(`night.owl is now erased-${id}:\n`);
  expect(readFileSync(join(folder, "latchkey.db")).includes("night.owl")).toBe(false);
  expect(accountsAndAudit()).toContain("reseller_erased");
  expect((await run("resellers", "erase", "night.owl")).stderr).toBe("There is no reseller night.owl.\n");
  expect((await run("check")).code).toBe(0);
  expect((await run("backup", join(folder, "after.db"))).code).toBe(0);
  expect((await run("verify", join(folder, "after.db"))).code).toBe(0);
});
