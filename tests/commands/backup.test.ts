import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withDatabase } from "../backup-stage.ts";
import { createClient, signInAdmin } from "../client.ts";
import { type Latchkey, program, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";
import { createLink, sell } from "../shop-link.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[], { environment = {} } = {}) =>
  runLatchkey(words, { environment: { DATA_DIR: folder, TMPDIR: folder, ...environment }, cwd: folder });

/** Runs a shell command in which `latchkey` is the program under test. */
async function shell(line: string) {
  const called = program.map((word) => `'${word}'`).join(" ");
  const environment = { DATA_DIR: folder, TMPDIR: folder, PATH: process.env.PATH };
  const child = Bun.spawn(["sh", "-c", `latchkey() { ${called} "$@"; }; ${line}`], {
    cwd: folder,
    env: environment,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}

const unfinished = () => readdirSync(folder).filter((name) => name.startsWith(".latchkey-unfinished-"));
const titles = async (latchkey: Latchkey) =>
  (await createClient(latchkey.url).get("/api/updates")).body.map(({ title }: { title: string }) => title);

const ofSecret = "SECRET is in no backup: keep a copy of it elsewhere.\n";

test("a backup made while the server runs can be restored, and the replaced database is kept", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  await admin.post("/api/admin/online-updates", { title: "Before", message: "the backup" });
  const file = join(folder, "copy.db");
  expect(await run(["backup", file])).toEqual({
    code: 0,
    stdout: `Wrote ${file} and checked it.\n${ofSecret}`,
    stderr: "",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run(["backup", file])).toMatchObject({ code: 1, stderr: `${file} already exists.\n` });
  await admin.post("/api/admin/online-updates", { title: "After", message: "the backup" });
  expect((await run(["restore", file])).stderr).toContain("Another Latchkey is running");
  await latchkey.stop();

  const restored = await run(["restore", file]);
  const [kept] = readdirSync(folder).filter((name) => name.startsWith("latchkey.db.replaced."));
  expect(restored).toMatchObject({
    code: 0,
    stdout: `Restored ${file}.\nThe previous database is kept in ${join(folder, kept ?? "")}\nSECRET opens what was restored.\n`,
  });
  const again = await startLatchkey({ dataFolder: folder });
  expect(await titles(again)).toEqual(["Before"]);
  await again.stop();
});

test("after a restore, sales that the backup has return the same keys, and its links sell", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const link = await createLink(admin, "admin");
  const texts = async ({ url }: Latchkey) => (await sell(createClient(url), link, "before", 2)).text;
  const before = await texts(latchkey);
  expect((await sell(createClient(latchkey.url), link, "refused", 99)).status).toBe(422);
  expect((await admin.get(`/api/admin/shop-links/${link.id}/sales`)).body).toHaveLength(2);
  expect((await run(["backup", "copy.db"])).code).toBe(0);
  await admin.call("DELETE", `/api/admin/shop-links/${link.id}`);
  expect(await texts(latchkey)).not.toBe(before);
  await latchkey.stop();
  expect((await run(["restore", "copy.db"])).code).toBe(0);
  const again = await startLatchkey({ dataFolder: folder });
  expect(await texts(again)).toBe(before);
  expect((await sell(createClient(again.url), link, "after")).status).toBe(200);
  await again.stop();
});

test("a backup can be piped from standard output to standard input, with messages on standard error", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  await admin.post("/api/admin/online-updates", { title: "Piped", message: "from one to the other" });
  const made = await shell("latchkey backup - > piped.db");
  expect(made).toEqual({ code: 0, stdout: "", stderr: `The copy was checked and sent.\n${ofSecret}` });
  await latchkey.stop();

  expect((await shell("latchkey verify - < piped.db")).stdout).toBe("Checked standard input: it can be restored.\n");
  expect(
    await shell("mkdir other; cp secret other; latchkey backup - | DATA_DIR=other latchkey restore -"),
  ).toMatchObject({ code: 0 });
  const other = await startLatchkey({ dataFolder: join(folder, "other") });
  expect(await titles(other)).toEqual(["Piped"]);
  await other.stop();
  expect((await shell("head -c 20000 piped.db | latchkey verify -")).stderr).toBe(
    "Cannot restore standard input. The database is damaged or truncated.\n",
  );
  expect(unfinished()).toEqual([]);
});

test("a closed pipe and a missing folder are reported in a sentence", async () => {
  await run(["migrate"]);
  const { stderr } = await shell("latchkey backup - | true");
  expect(stderr).toStartWith("No backup was made. EPIPE");
  expect((await run(["backup", "nowhere/copy.db"])).stderr).toStartWith("No backup was made. ENOENT");
  const homeless = { environment: { TMPDIR: join(folder, "nowhere") } };
  expect((await run(["verify", "latchkey.db"], homeless)).stderr).toContain("Set TMPDIR to another folder.");
  expect(unfinished()).toEqual([]);
});

test("a database that could not be restored is not backed up, and the message says why", async () => {
  await run(["migrate"]);
  withDatabase(join(folder, "latchkey.db"), (database) => database.run("CREATE INDEX mine ON accounts (created_at)"));
  const sentence = "The database differs from Latchkey's schema: it has the index mine, which is not ours.\n";
  expect(await run(["backup", "copy.db"])).toMatchObject({
    code: 1,
    stderr: `No backup was made, because the copy could not be restored. ${sentence}`,
  });
  copyFileSync(join(folder, "latchkey.db"), join(folder, "raw.db"));
  expect((await run(["verify", "raw.db"])).stderr).toBe(`Cannot restore raw.db. ${sentence}`);
  expect((await run(["restore", "raw.db"])).stderr).toBe(`Cannot restore raw.db. ${sentence}`);
  expect([existsSync(join(folder, "copy.db")), unfinished()]).toEqual([false, []]);
});

test("the next start removes databases that were replaced long ago and reports it", async () => {
  for (const time of [1, 2]) writeFileSync(join(folder, `latchkey.db.replaced.${time}`), "replaced in 1970");
  const server = await startLatchkey({ dataFolder: folder });
  const first = join(folder, "latchkey.db.replaced.1");
  expect(server.output()).toContain(`Removed ${first}, a database that was replaced more than 30 days ago.`);
  await server.stop();
  expect(readdirSync(folder).filter((name) => name.includes("replaced"))).toEqual(["latchkey.db.replaced.2"]);
});

test("restore warns if the database's times are far ahead of the clock", async () => {
  await (await startLatchkey({ dataFolder: folder })).stop();
  const restoreWithAdminMadeIn = async (hours: number) => {
    const file = `ahead-${hours}.db`;
    copyFileSync(join(folder, "latchkey.db"), join(folder, file));
    const madeAt = Date.now() + hours * 3_600_000;
    withDatabase(join(folder, file), (connection) => connection.run("UPDATE accounts SET created_at = ?", [madeAt]));
    const { code, stderr } = await run(["restore", file]);
    return [code, stderr, new Date(madeAt).toISOString()];
  };
  expect(await restoreWithAdminMadeIn(0.5)).toEqual([0, "", expect.any(String)]);
  const [code, stderr, latest] = await restoreWithAdminMadeIn(48);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Its latest time is ${latest}, and the clock here says`)]);
});

test("restore creates no folder, so that a mistyped DATA_DIR is noticed", async () => {
  await run(["migrate"]);
  await run(["backup", "copy.db"]);
  const elsewhere = { environment: { DATA_DIR: join(folder, "mistyped") } };
  const { code, stderr } = await run(["restore", "copy.db"], elsewhere);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no folder ${join(folder, "mistyped")}.`)]);
  expect(existsSync(join(folder, "mistyped"))).toBe(false);
});

describe("unfinished files are removed", () => {
  /** Adds enough rows that the copy takes a while. */
  const fill = () =>
    withDatabase(join(folder, "latchkey.db"), (database) => {
      database.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO online_updates (title, message, is_active, created_at, updated_at)
        SELECT i, hex(randomblob(200)), 0, 1, 1 FROM n`);
    });

  /** Starts a command and waits until its temporary folder has a file. */
  async function startedCommand(words: string[]) {
    const child = Bun.spawn([...program, ...words], {
      cwd: folder,
      env: { DATA_DIR: folder, TMPDIR: folder },
      stdout: "pipe",
      stderr: "pipe",
    });
    const hasBegun = () => unfinished().some((name) => readdirSync(join(folder, name)).includes("latchkey.db"));
    while (!hasBegun() && child.exitCode === null) await Bun.sleep(1);
    return child;
  }

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("after a %s", async (signal) => {
    await run(["migrate"]);
    fill();
    const child = await startedCommand(["backup", "copy.db"]);
    child.kill(signal);
    const [code, stderr] = [await child.exited, await new Response(child.stderr).text()];
    expect([code, stderr]).toEqual([1, `Stopped by ${signal}. Nothing was changed.\n`]);
    expect([unfinished(), existsSync(join(folder, "copy.db"))]).toEqual([[], false]);
  });

  test.each(["backup", "serve"])("after a SIGKILL, at the next %s", async (next) => {
    await run(["migrate"]);
    fill();
    const child = await startedCommand(["backup", "copy.db"]);
    child.kill("SIGKILL");
    await child.exited;
    expect(unfinished()).toHaveLength(1);
    if (next === "serve") await (await startLatchkey({ dataFolder: folder })).stop();
    else await run([next, "second.db"]);
    expect(unfinished()).toEqual([]);
  });

  test("after a killed restore, at the next restore", async () => {
    await run(["migrate"]);
    fill();
    await run(["backup", "copy.db"]);
    const child = await startedCommand(["restore", "copy.db"]);
    child.kill("SIGKILL");
    await child.exited;
    expect(unfinished()).toHaveLength(1);
    expect(await run(["restore", "copy.db"])).toMatchObject({ code: 0 });
    expect(unfinished()).toEqual([]);
  });

  test("after a killed restore, at the next start, with the database unchanged", async () => {
    await run(["migrate"]);
    fill();
    await run(["backup", "copy.db"]);
    const before = readFileSync(join(folder, "latchkey.db"));
    const child = await startedCommand(["restore", "copy.db"]);
    child.kill("SIGKILL");
    await child.exited;
    expect(unfinished()).toHaveLength(1);
    expect(readFileSync(join(folder, "latchkey.db")).equals(before)).toBe(true);
    await (await startLatchkey({ dataFolder: folder })).stop();
    expect(readdirSync(folder).sort()).toEqual(["copy.db", "latchkey.db", "latchkey.lock", "secret"]);
  });
});
