import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { program, refusedStart, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";
import { newNonce, type Pin, readProof } from "../read-proof.ts";
import { openS3Server, type S3 } from "../s3.ts";

const handbook = readFileSync(join(import.meta.dir, "../../docs/operating.md"), "utf8");

let folder: string;
let s3: S3;
beforeEach(() => {
  folder = temporaryFolder();
  s3 = openS3Server();
});
afterEach(() => {
  s3.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits for the running backup and returns the status. */
async function settled(admin: Client) {
  for (;;) {
    const { body } = await admin.get("/api/admin/backup/backups");
    if (body.underWay === null && (body.lastGoodAt !== null || body.failure !== null)) return body;
    await Bun.sleep(5);
  }
}

/** What a game with these pins accepts. */
async function isSigned(url: string, pins: Pin[]): Promise<boolean> {
  const nonce = newNonce();
  const question = { key: "NO-SUCH-KEY-HERE", game: "FREE FIRE", deviceId: "phone", nonce };
  return readProof((await createClient(url).post("/api/verify", question)).body.proof, pins)?.n === nonce;
}

test("after the data folder of a running server is lost, the documented commands restore its last backup", async () => {
  const lost = join(folder, "lost");
  const environment = { ...s3.environment, BACKUP_SCHEDULE: "daily" };
  const old = await startLatchkey({ environment: { ...environment, DATA_DIR: lost } });
  const admin = await signInAdmin(() => createClient(old.url));
  await settled(admin);
  await admin.post("/api/admin/online-updates", { title: "Before the disk was lost", message: "and in a backup" });
  await admin.post("/api/admin/backup/backups");
  const { lastGoodAt } = await settled(admin);
  expect(s3.objects.size).toBe(2);
  const pins = (await admin.get("/.well-known/latchkey-keys")).body.keys;
  expect(old.output()).toContain("keep a copy of DATA_DIR/secret elsewhere");
  copyFileSync(join(lost, "secret"), join(folder, "copy-of-secret"));

  rmSync(lost, { recursive: true });
  await admin.post("/api/admin/backup/backups");
  const after = await settled(admin);
  expect([after.lastGoodAt, after.failure?.message]).toEqual([lastGoodAt, "The last backup failed."]);
  expect(s3.objects.size).toBe(2);
  await old.stop();
  expect(existsSync(lost)).toBe(false);

  const found = join(folder, "found");
  const lines = handbook.match(/<!-- lost disk -->\s+```sh\n([\s\S]+?)```/)?.[1] ?? "";
  expect(lines).toEndWith("\nlatchkey serve\n");
  const latchkey = `latchkey() { ${program.map((word) => `'${word}'`).join(" ")} "$@"; }`;
  const shell = Bun.spawn(["sh", "-eu", "-c", `${latchkey}\n${lines.replace("latchkey serve\n", "")}`], {
    env: { PATH: process.env.PATH, ...environment, DATA_DIR: found },
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = [await new Response(shell.stdout).text(), await new Response(shell.stderr).text()];
  expect([await shell.exited, errors]).toEqual([0, ""]);
  expect(output).toEndWith(`in S3.\nThere was no database in ${found}.\nSECRET opens what was restored.\n`);
  const next = await startLatchkey({ environment, dataFolder: found });
  const { body: updates } = await createClient(next.url).get("/api/updates");
  expect(updates).toMatchObject([{ title: "Before the disk was lost" }]);
  await signInAdmin(() => createClient(next.url));
  expect(await isSigned(next.url, pins)).toBe(true);
  await next.stop();

  rmSync(join(found, "secret"));
  const run = (...words: string[]) => runLatchkey(words, { environment: { ...environment, DATA_DIR: found } });
  const restored = await run("restore", "latest");
  expect([restored.code, restored.stderr]).toEqual([
    0,
    expect.stringMatching(/^There is no SECRET here yet: .*secret lost/),
  ]);
  expect(refusedStart(await run("serve"))).toMatchObject({ code: 2, message: expect.stringContaining("secret lost") });
  expect((await run("restore", "latest")).stderr).toStartWith("SECRET does not open what was restored: ");
  expect((await run("secret", "lost")).code).toBe(0);
  const without = await startLatchkey({ environment, dataFolder: found });
  const { keys } = (await createClient(without.url).get("/.well-known/latchkey-keys")).body;
  expect([await isSigned(without.url, pins), await isSigned(without.url, keys)]).toEqual([false, true]);
  await without.stop();
});
