import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { program, startLatchkey, temporaryFolder } from "../process.ts";
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
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = [await new Response(shell.stdout).text(), await new Response(shell.stderr).text()];
  expect([await shell.exited, errors]).toEqual([0, ""]);
  expect(output).toContain(`in S3.\nThere was no database in ${found}.\n`);
  const next = await startLatchkey({ environment, dataFolder: found });
  const { body: updates } = await createClient(next.url).get("/api/updates");
  expect(updates).toMatchObject([{ title: "Before the disk was lost" }]);
  await signInAdmin(() => createClient(next.url));
  await next.stop();
});
