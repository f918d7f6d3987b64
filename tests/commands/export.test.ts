import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient, signInAdmin } from "../client.ts";
import { type Latchkey, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

const folder = temporaryFolder();
let server: Latchkey;
const run = (...words: string[]) => runLatchkey(words, { environment: { DATA_DIR: folder }, cwd: folder });

beforeAll(async () => {
  server = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(server.url));
  const order = { game: "FREE FIRE", deviceLimit: 5, count: 1, keyString: "KEY-1", starts: "first_use" };
  await admin.post("/api/admin/keys/generate", { ...order, durationHours: 24 });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("export writes the keys of a running server to a file, or to standard output", async () => {
  expect(await run("export", "keys.csv")).toMatchObject({ code: 0, stdout: "Wrote keys.csv.\n", stderr: "" });
  const written = readFileSync(join(folder, "keys.csv"), "utf8");
  expect(written).toMatch(/^key,game,created,expires,.*\r\nKEY-1,FREE FIRE,[^,]+,,24,first_use,,,,5,ACTIVE,,,\r\n$/);
  expect(await run("export")).toMatchObject({ code: 0, stdout: written });
  expect((await run("export", "-", "--game", "PUBG MOBILE")).stdout.split("\r\n")).toHaveLength(2);
});

test("export overwrites no file, and leaves none behind when it fails", async () => {
  const before = readdirSync(folder);
  expect(await run("export", "secret")).toMatchObject({ code: 1, stderr: "secret already exists.\n" });
  const unknown = await run("export", "owl.csv", "--owner", "night.owl");
  expect(unknown).toMatchObject({ code: 1, stderr: "There is no reseller night.owl.\n" });
  expect((await run("export", "chess.csv", "--game", "Chess")).code).toBe(1);
  expect((await run("export", "missing/keys.csv")).code).toBe(1);
  expect(readdirSync(folder)).toEqual(before);
});
