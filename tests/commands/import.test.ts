import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, registerReseller, signInAdmin } from "../client.ts";
import { program, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({ DATA_DIR: folder });
const run = (...words: string[]) => runLatchkey(words, { environment: environment(), cwd: folder });
const head = "key,game,expires,device_limit,owner,devices";

test("import works beside a running server, which knows the keys at once, and undo deletes one order", async () => {
  const server = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(server.url);
  const admin = await signInAdmin(newClient);
  await registerReseller(newClient, admin, { username: "seller", credits: 5 });
  const verify = async (key: string) =>
    (await newClient().post("/api/verify", { key, game: "FREE FIRE", deviceId: "phone" })).body.code;
  writeFileSync(
    join(folder, "keys.csv"),
    `${head}\nOLD|1,FREE FIRE,2099-01-31,2,,phone\nÄ-2;§,,2099-01-31,2,seller,\n=3,,2099-01-31,2,unknown.one,\nold|1,,2099-01-31,2,,\n`,
  );
  expect(await verify("OLD|1")).toBe("NOT_FOUND");

  const dry = await run("import", "keys.csv", "--game", "free fire", "--dry-run");
  expect(dry.stderr).toBe(
    "Nothing was imported, because of --dry-run. Lines: 2 valid, 1 duplicate, 1 wrong.\n1 line was wrong.\n",
  );
  expect(await verify("OLD|1")).toBe("NOT_FOUND");

  const made = await run("import", "keys.csv", "--game", "free fire");
  expect(made).toMatchObject({ code: 1, stdout: dry.stdout });
  expect(made.stdout.split("\r\n")).toEqual([
    "line,key,result,reason",
    "2,OLD|1,valid,",
    `3,"Ä-2;§",valid,`,
    `4,"'=3",wrong,There is no reseller unknown.one.`,
    "5,old|1,duplicate,An earlier line has the same key.",
    "",
  ]);
  const [, first = "", second = ""] = made.stderr.match(/import undo (\d+)[\s\S]*import undo (\d+)/) ?? [];
  expect(made.stderr).toStartWith("Imported 2 keys. Lines: 2 valid, 1 duplicate, 1 wrong.\nTo undo: ");
  expect(await verify("OLD|1")).toBe("VALID");
  expect(await run("check")).toMatchObject({ code: 0 });
  expect(await run("backup", "copy.db")).toMatchObject({ code: 0 });
  expect(await run("verify", "copy.db")).toMatchObject({ code: 0 });

  expect(await run("import", "undo", first)).toMatchObject({
    ...{ code: 0, stdout: `Order ${first} has been undone: its keys are deleted.\n` },
  });
  expect(await verify("OLD|1")).toBe("NOT_FOUND");
  expect((await run("import", "undo", first)).stderr).toBe("This order has already been undone.\n");
  expect((await admin.get(`/api/admin/orders/${second}`)).body).toMatchObject({ count: 1 });
  expect((await admin.post("/api/admin/imports/2/undo")).body).toMatchObject({ state: "undone" });
  expect((await run("import", "undo", second)).stderr).toBe("This order has already been undone.\n");
  expect((await run("import", "undo", "77")).stderr).toBe("Order 77 is not the order of an import.\n");
  expect((await admin.get("/api/admin/audit?action=keys_imported")).body).toMatchObject([
    { target: "import 2", actor: null, details: { by: "command line", lines: 4 } },
  ]);

  writeFileSync(join(folder, "keys.csv"), `${head}\nVALID-1,FREE FIRE,2099-01-31,2,,`);
  expect(await run("import", "keys.csv")).toMatchObject({ code: 0, stdout: expect.stringContaining("VALID-1,valid") });
  expect(await run("import", "nothing.csv")).toMatchObject({ code: 2, stderr: "There is no file nothing.csv.\n" });
  expect(await run("import", "keys.csv", "--map", "key")).toMatchObject({ code: 1, stdout: "" });
  const unknown = await run("import", "keys.csv", "--owner", "unknown.one");
  expect(unknown).toEqual({ code: 1, stdout: "", stderr: "There is no reseller unknown.one.\n" });
  expect((await run("import", "keys.csv", "--game", "CHESS")).stderr).toBe("There is no game CHESS.\n");
  writeFileSync(join(folder, "old names.csv"), `${head}\nOTHER-1,PUBG,31.01.2099,2,,`);
  const other = ["--value", "game:pubg=FREE FIRE", "--dates", "dmy", "--map", "owner="];
  expect(await run("import", "old names.csv", ...other)).toMatchObject({ code: 0 });
  expect((await admin.get("/api/admin/imports?limit=1")).body).toMatchObject([{ fileName: "old names.csv", valid: 1 }]);
  expect(await run("import", "old names.csv", "--dates", "ymd")).toMatchObject({ code: 2, stdout: "" });
  expect((await run("import", "old names.csv", "--value", "a=b")).stderr).toStartWith("value must be game:from=to");
  writeFileSync(join(folder, "keys.csv"), `${head}\n`);
  expect(await run("import", "keys.csv")).toEqual({ code: 1, stdout: "", stderr: "The file has no keys.\n" });
  await server.stop();
});

test("an import that is killed while it reads, and while it imports, is continued by the same command", async () => {
  await (await startLatchkey({ dataFolder: folder })).stop();
  const lines = Array.from(
    { length: 4_000 },
    (_, index) => `KEY-${index % 3_900},FREE FIRE,2099-01-31,2,,a-${index} b`,
  );
  writeFileSync(join(folder, "keys.csv"), [head, ...lines].join("\n"));
  const connection = new Connection(join(folder, "latchkey.db"), { readonly: true });
  const row = () =>
    connection
      .query<{ state: string; lines: number; reached: number }, []>(
        "SELECT state, line_count AS lines, reached_line AS reached FROM imports",
      )
      .get() ?? { state: "none", lines: 0, reached: 0 };
  const killedWhen = async (isSo: () => boolean) => {
    const importing = Bun.spawn([...program, "import", "keys.csv"], {
      cwd: folder,
      env: environment(),
      stdout: "ignore",
    });
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
    importing.kill("SIGKILL");
    await importing.exited;
  };

  await killedWhen(() => row().lines > 0);
  expect(row()).toMatchObject({ state: "reading" });
  await killedWhen(() => row().reached > 0);
  const { reached } = row();
  expect(row()).toMatchObject({ state: "running", lines: 4_000 });
  expect(reached).toBeLessThan(4_000);

  const { code, stdout, stderr } = await run("import", "keys.csv");
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("3900 valid, 100 duplicate, 0 wrong"),
  });
  expect(stdout.split("\r\n")).toHaveLength(4_002);
  const count = (table: string) => connection.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  expect([count("imports"), count("orders"), count("license_keys"), count("key_devices")]).toEqual([
    1, 1, 3_900, 7_800,
  ]);
  connection.close();
  expect(await run("check")).toMatchObject({ code: 0 });
});

test("a file that a command imports is refused to other commands and to calls until it is done", async () => {
  const server = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(server.url));
  const lines = Array.from({ length: 2_000 }, (_, index) => `${"K".repeat(100)}-${index},FREE FIRE,2099-01-31,2,,`);
  const file = [head, ...lines].join("\n");
  writeFileSync(join(folder, "keys.csv"), file);
  // The command ends once its report is read, which is longer than a pipe holds.
  const held = `mkfifo gate; ${program.join(" ")} import keys.csv | { cat gate; cat; } > report.csv`;
  const env = { ...process.env, ...environment() };
  const importing = Bun.spawn(["sh", "-c", held], { cwd: folder, env, stderr: "ignore" });
  const count = async () => (await admin.get("/api/admin/stats")).body.activeKeys;
  while ((await count()) < 2_000) await new Promise((resolve) => setTimeout(resolve, 1));

  const refused = { code: 1, stdout: "", stderr: "This file is being imported already.\n" };
  expect(await run("import", "keys.csv")).toEqual(refused);
  expect(await run("import", "keys.csv", "--game", "FREE FIRE")).toEqual(refused);
  expect(await admin.post("/api/admin/imports", file, { "content-type": "text/csv" })).toMatchObject({
    ...{ status: 409, body: { code: "IMPORT_UNDER_WAY" } },
  });
  expect((await run("import", "keys.csv", "--dry-run")).code).toBe(0);
  writeFileSync(join(folder, "gate"), "");
  expect(await importing.exited).toBe(0);
  expect(readFileSync(join(folder, "report.csv"), "utf8").trimEnd().split("\r\n")).toHaveLength(2_001);

  expect((await run("import", "keys.csv")).stderr).toContain("0 valid, 2000 duplicate, 0 wrong");
  expect(readdirSync(folder).filter((name) => name.startsWith("latchkey-import"))).toEqual([]);
  await server.stop();
});

const handbook = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");

/** A block of the handbook, without the indent that it has in a list. */
function block(name: string): string {
  const [, indent = "", text = ""] =
    handbook.match(new RegExp(`^( *)<!-- moving: ${name} -->\\n *\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, "m")) ?? [];
  return text.replaceAll(new RegExp(`^${indent}`, "gm"), "");
}

test("the handbook's way to move here works as it is written", async () => {
  const server = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(server.url);
  const admin = await signInAdmin(newClient);
  await registerReseller(newClient, admin, { username: "night.owl", credits: 5 });
  writeFileSync(join(folder, "latchkey"), `#!/bin/sh\nexec ${program.join(" ")} "$@"\n`);
  chmodSync(join(folder, "latchkey"), 0o755);
  writeFileSync(join(folder, "old.csv"), block("old.csv"));
  const follow = async (name: string) => {
    expect(block(name)).not.toBe("");
    const env = { ...environment(), PATH: `${folder}:${process.env.PATH}` };
    const shell = Bun.spawn(["sh", "-eu", "-c", block(name)], { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
    const said = await new Response(shell.stderr).text();
    expect({ code: await shell.exited, said }).toMatchObject({ code: 0 });
    return said;
  };
  const report = () => readFileSync(join(folder, "report.csv"), "utf8");
  const verify = async (key: string, deviceId: string) =>
    (await newClient().post("/api/verify", { key, game: "PUBG MOBILE", deviceId })).body.code;

  expect(await follow("try")).toContain("Lines: 2 valid, 1 duplicate, 0 wrong.");
  expect(await verify("OLD-7K2M-9QXA", "a3f1c9d2-phone")).toBe("NOT_FOUND");
  const tried = report();
  expect(await follow("import")).toContain("To undo: latchkey import undo 1\n");
  expect(report()).toBe(tried);
  expect(await verify("OLD-7K2M-9QXA", "a3f1c9d2-phone")).toBe("VALID");
  await follow("undo");
  expect(await verify("OLD-7K2M-9QXA", "a3f1c9d2-phone")).toBe("NOT_FOUND");
  expect(await verify("OLD-4T8R-1ZBC", "another-phone")).toBe("VALID");
  await server.stop();
});
