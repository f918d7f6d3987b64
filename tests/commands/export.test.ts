import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, registerReseller, signInAdmin } from "../client.ts";
import { type Latchkey, program, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

const folder = temporaryFolder();
const emptied = temporaryFolder();
let server: Latchkey;
const run = (...words: string[]) => runLatchkey(words, { environment: { DATA_DIR: folder }, cwd: folder });

beforeAll(async () => {
  server = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(server.url);
  const admin = await signInAdmin(newClient);
  const owl = await registerReseller(newClient, admin, { username: "night.owl", credits: 100 });
  const game = "FREE FIRE";
  const order = { game, deviceLimit: 5, count: 1, keyString: "KEY-1", starts: "first_use", durationHours: 24 };
  await admin.post("/api/admin/keys/generate", order);
  const bought = await owl.post("/api/reseller/keys/generate", { game, deviceLimit: 2, days: 30, count: 3 });
  const [connected, paused, revoked] = bought.body.keys;
  await newClient().post("/api/verify", { key: connected.keyString, game, deviceId: "phone" });
  await owl.call("PUT", `/api/reseller/keys/${connected.id}/note`, { note: '=1+1; "the best", he said' });
  await admin.post(`/api/admin/keys/${paused.id}/pause`);
  await owl.post(`/api/reseller/keys/${revoked.id}/revoke`);
});

afterAll(async () => {
  await server.stop();
  for (const each of [folder, emptied]) rmSync(each, { recursive: true, force: true });
});

test("the handbook's way to leave works as it is written, and an empty panel imports the file as the same keys", async () => {
  const handbook = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");
  const [, text = "", command = "", rest = ""] =
    handbook.match(/^## Leave\n([\s\S]*?<!-- leaving -->\n```sh\n([\s\S]*?)```([\s\S]*?))^## /m) ?? [];
  writeFileSync(join(folder, "latchkey"), `#!/bin/sh\nexec ${program.join(" ")} "$@"\n`);
  chmodSync(join(folder, "latchkey"), 0o755);
  const env = { DATA_DIR: folder, PATH: `${folder}:${process.env.PATH}` };
  expect(text).toContain(command);
  expect(await Bun.spawn(["sh", "-eu", "-c", command], { cwd: folder, env }).exited).toBe(0);

  const file = readFileSync(join(folder, "keys.csv"), "utf8");
  const lines = file.trimEnd().split("\r\n");
  const described = [...rest.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = ""]) => names.match(/\w+/g) ?? []);
  expect([described.join(), lines.length]).toEqual([lines[0] as string, 5]);
  expect(lines[1]).toMatch(/^KEY-1,FREE FIRE,[^,]+,,24,first_use,,,,5,ACTIVE,,,$/);

  const other = await startLatchkey({ dataFolder: emptied });
  const newClient = () => createClient(other.url);
  await registerReseller(newClient, await signInAdmin(newClient), { username: "night.owl", credits: 0 });
  const there = { environment: { DATA_DIR: emptied }, cwd: folder };
  expect(await runLatchkey(["import", "keys.csv"], there)).toMatchObject({ code: 0 });
  expect((await runLatchkey(["export"], there)).stdout).toBe(file);
  await other.stop();
});

test("export writes to standard output too, and only the keys of an owner or a game", async () => {
  const keysOf = async (...words: string[]) => (await run("export", "-", ...words)).stdout.split("\r\n").length - 2;
  expect(await keysOf()).toBe(4);
  expect(await keysOf("--owner", "night.owl")).toBe(3);
  expect(await keysOf("--game", "PUBG MOBILE")).toBe(0);
});

test("export overwrites no file, and leaves none behind when it fails", async () => {
  const before = readdirSync(folder);
  expect(await run("export", "secret")).toMatchObject({ code: 1, stderr: "secret already exists.\n" });
  const unknown = await run("export", "owl.csv", "--owner", "day.owl");
  expect(unknown).toMatchObject({ code: 1, stderr: "There is no reseller day.owl.\n" });
  expect((await run("export", "chess.csv", "--game", "Chess")).code).toBe(1);
  expect((await run("export", "missing/keys.csv")).code).toBe(1);
  expect(readdirSync(folder)).toEqual(before);
});
