import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addAdmin, usernamesIn } from "../backup-stage.ts";
import { program, runLatchkey, temporaryFolder } from "../process.ts";
import { openS3Server, type S3 } from "../s3.ts";

let folder: string;
let data: string;
let s3: S3;
beforeEach(() => {
  folder = temporaryFolder();
  data = join(folder, "data");
  mkdirSync(data);
  s3 = openS3Server();
});
afterEach(() => {
  s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (words: string[], environment: Record<string, string> = s3.environment) =>
  runLatchkey(words, { environment: { DATA_DIR: data, TMPDIR: folder, ...environment }, cwd: folder });
const kept = () => readdirSync(join(data, "backups")).sort();
const sent = () => [...s3.objects.keys()].sort();
/** A database of which the second page is lost. */
const tornOf = (bytes: Buffer) => bytes.fill(0xff, 4_096 + 8, 8_192);
const database = () => join(data, "latchkey.db");

test("a backup without a file name is stored compressed in the folder and in S3, listed once, and restored from either", async () => {
  await run(["migrate"]);
  addAdmin(database(), "first");
  const made = await run(["backup"]);
  const [name = ""] = kept();
  expect(made).toEqual({
    code: 0,
    stdout: `Wrote ${name} in ${join(data, "backups")} and checked it.\nIt was also copied to S3 and read back.\nSECRET is in no backup: keep a copy of it elsewhere.\n`,
    stderr: "",
  });
  expect(sent()).toEqual([`latchkey/${name}`]);
  const file = join(data, "backups", name);
  expect(s3.objects.get(`latchkey/${name}`)).toEqual(new Uint8Array(readFileSync(file)));
  expect(statSync(file).size).toBeLessThan(statSync(database()).size / 10);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await run(["backups"])).stdout).toMatch(
    new RegExp(`^${name}  [\\d-]+ [\\d:]+ +[\\d.]+ KB  here and in S3\n$`),
  );

  addAdmin(database(), "second");
  expect((await run(["restore", name])).stdout).toStartWith(`Restored ${file}.\n`);
  expect(usernamesIn(database())).toEqual(["first"]);
  rmSync(join(data, "backups"), { recursive: true });
  addAdmin(database(), "third");
  expect((await run(["verify", "latest"])).stdout).toBe(`Checked ${name} in S3: it can be restored.\n`);
  expect((await run(["restore", "latest"])).stdout).toStartWith(`Restored ${name} in S3.\n`);
  expect(usernamesIn(database())).toEqual(["first"]);
  expect((await run(["backups"])).stdout).toEndWith("KB  S3\n");
});

test("backups beyond BACKUP_KEEP are removed from both places, and nothing else is", async () => {
  await run(["migrate"]);
  const old = [1, 2, 3].map((day) => `latchkey-2020-01-0${day}T00-00-00.000Z.db.zst`);
  mkdirSync(join(data, "backups"));
  for (const name of [...old, "latchkey-of-mine.db.zst"]) {
    writeFileSync(join(data, "backups", name), "");
    s3.objects.set(`latchkey/${name}`, new Uint8Array(1));
  }
  const { code, stdout } = await run(["backup"], { ...s3.environment, BACKUP_KEEP: "2" });
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Removed ${old[0]}, which exceeds BACKUP_KEEP.`)]);
  const stay = [old[2], expect.stringMatching(/^latchkey-2\d{3}/), "latchkey-of-mine.db.zst"];
  expect(kept()).toEqual(stay);
  expect(sent()).toEqual(kept().map((name) => `latchkey/${name}`));
});

test("a locked backup is reported, and keeps none of the others", async () => {
  await run(["migrate"]);
  const old = [1, 2, 3].map((day) => `latchkey-2020-01-0${day}T00-00-00.000Z.db.zst`);
  for (const name of old) s3.objects.set(`latchkey/${name}`, new Uint8Array(1));
  s3.locked.add(`latchkey/${old[1]}`);
  const { code, stderr } = await run(["backup"], { ...s3.environment, BACKUP_KEEP: "1" });
  expect([code, stderr]).toEqual([0, `${old[1]} could not be removed: BACKUP_S3 failed: AccessDenied, Refused.\n`]);
  expect(sent()).toEqual([`latchkey/${old[1]}`, expect.stringMatching(/^latchkey\/latchkey-2\d{3}/)]);
});

describe("S3", () => {
  test.each(["fail", "damage"] as const)(
    "that fails once (%s) is retried until the uploaded backup reads back correctly",
    async (kind) => {
      await run(["migrate"]);
      s3.fault = { method: "PUT", times: 1, kind };
      expect(await run(["backup"])).toMatchObject({ code: 0, stderr: "" });
      expect(s3.requests.filter((each) => each.startsWith("PUT"))).toHaveLength(2);
      expect(await run(["verify", "latest"])).toMatchObject({ code: 0 });
    },
  );

  test("that refuses leaves an intact backup in the folder, and the message contains no secret", async () => {
    await run(["migrate"]);
    const wrongKey = { ...s3.environment, BACKUP_S3_SECRET_ACCESS_KEY: "guessed" };
    const sentence = "BACKUP_S3 failed: SignatureDoesNotMatch, Refused.\n";
    const made = await run(["backup"], wrongKey);
    expect([made.code, made.stderr]).toEqual([1, `The backup is not in S3. ${sentence}`]);
    // So the panel does not count it as the last good one.
    using file = new Database(database());
    const record = file.query("SELECT details FROM audit WHERE action = 'backup_made'").get() as { details: string };
    expect(JSON.parse(record.details)).toMatchObject({ file: kept()[0], notInS3: true });
    expect(await run(["verify", kept()[0] ?? ""], {})).toMatchObject({ code: 0 });
    // The newest backup may be in S3, which cannot be listed.
    expect(await run(["verify", "latest"], wrongKey)).toMatchObject({ code: 1, stderr: sentence });
    const noBucket = { ...s3.environment, BACKUP_S3: s3.environment.BACKUP_S3?.replace("/bucket/", "/nowhere/") ?? "" };
    expect(await run(["backups"], noBucket)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("here\n"),
      stderr: "BACKUP_S3 failed: NoSuchBucket, Refused.\n",
    });
  });

  test("with a damaged backup restores nothing", async () => {
    await run(["migrate"]);
    await run(["backup"]);
    rmSync(join(data, "backups"), { recursive: true });
    s3.fault = { method: "GET", times: 99, kind: "damage" };
    const [key = ""] = sent();
    const { code, stderr } = await run(["restore", key.slice("latchkey/".length)]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/in S3\. The compressed file is damaged/)]);
  });
});

test("a damaged listed backup is reported in one line, which says where others are", async () => {
  await run(["migrate"]);
  await run(["backup"]);
  const [name = ""] = kept();
  const file = join(data, "backups", name);
  writeFileSync(file, tornOf(readFileSync(database())));
  const damaged = `Cannot restore ${file}. The database is damaged`;
  const local = await run(["restore", name], {});
  expect([local.code, local.stderr]).toEqual([1, expect.stringMatching(/`latchkey backups` lists others\.\n$/)]);
  expect([local.stderr, local.stderr.trim()]).toEqual([
    expect.stringContaining(damaged),
    expect.not.stringContaining("\n"),
  ]);
  expect((await run(["verify", name])).stderr).toContain("once you move this file away, its copy in S3 is used.");
  rmSync(file);
  expect((await run(["verify", name])).code).toBe(0);
});

test("an unknown backup name is reported in a sentence", async () => {
  await run(["migrate"]);
  const name = "latchkey-2020-01-01T00-00-00.000Z.db.zst";
  expect((await run(["verify", name], {})).stderr).toBe(`There is no backup ${name} in ${join(data, "backups")}.\n`);
  expect((await run(["verify", "latest"], {})).stderr).toBe("There is no backup.\n");
  expect((await run(["verify", name])).stderr).toContain("NoSuchKey");
});

test("a backup shows its progress in a terminal only", async () => {
  await run(["migrate"]);
  let shown = "";
  const terminal = new Bun.Terminal({ data: (_terminal, piece) => (shown += new TextDecoder().decode(piece)) });
  const child = Bun.spawn([...program, "backup"], { env: { DATA_DIR: data }, terminal });
  expect(await child.exited).toBe(0);
  terminal.close();
  expect(shown).toContain("Copying the database … ");
  expect(shown).toContain("Checking the copy …");
  expect(existsSync(join(data, "backups"))).toBe(true);
  expect((await run(["backup", "copy.db"])).stderr).toBe("");
});
