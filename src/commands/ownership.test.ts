import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "latchkey.db");
  writeFileSync(file, "", { mode: 0o400 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The refusal as seen by a user who is not root, because permissions do not bind root. Root starts a child as that
 * user.
 */
async function refusalOf(refuse = "refuseUnwritable", of = folder): Promise<string> {
  const program = `
    const { ${refuse} } = await import(${JSON.stringify(join(import.meta.dir, "data.ts"))});
    if (process.getuid() === 0) process.setuid(${nobody});
    try { ${refuse}(...process.argv.slice(-2)); } catch (error) { console.log(error.message); }`;
  const child = Bun.spawn([process.execPath, "-e", program, of, file], { stdout: "pipe", stderr: "inherit" });
  return (await new Response(child.stdout).text()).trim();
}

test("a read-only database is refused with its owner, the current user and a remedy", async () => {
  if (isRoot) chmodSync(folder, 0o777);
  const ofAnother = `${file} belongs to root (0), and this runs as nobody (${nobody}), who may not write it: chown -R ${nobody} ${file}`;
  const ofOurs = expect.stringMatching(/ belongs to .*, as it should, but its mode 400 forbids writing: chmod u\+rw /);
  expect(await refusalOf()).toEqual(isRoot ? ofAnother : ofOurs);
});

test("a read-only folder is refused even if the database is writable", async () => {
  chmodSync(file, 0o666);
  chmodSync(folder, 0o555);
  expect(await refusalOf()).toStartWith(`${folder} belongs to `);
  chmodSync(folder, 0o700);
});

test("a lock that this user may not write is refused", async () => {
  chmodSync(folder, 0o777);
  chmodSync(file, 0o666);
  const lock = join(folder, "latchkey.lock");
  writeFileSync(lock, "", { mode: 0o400 });
  expect(await refusalOf()).toStartWith(`${lock} belongs to `);
});

test("a folder that cannot be entered, or is in one, is refused, and not called missing", async () => {
  chmodSync(folder, 0o600);
  const closed = `${folder} belongs to `;
  const userId = isRoot ? nobody : process.getuid?.();
  expect(await refusalOf("refuseClosed")).toMatch(
    new RegExp(
      `^DATA_DIR ${folder} cannot be entered. ${closed}.*, its mode is 600, and this runs as .*: chown -R ${userId} `,
    ),
  );
  const inside = join(folder, "data");
  expect(await refusalOf("refuseClosed", inside)).toStartWith(`DATA_DIR ${inside} cannot be entered. ${closed}`);
  chmodSync(folder, 0o777);
  expect([await refusalOf("refuseClosed"), await refusalOf("refuseClosed", inside)]).toEqual(["", ""]);
});

test("writable and missing files are accepted", async () => {
  chmodSync(folder, 0o777);
  chmodSync(file, 0o666);
  expect(await refusalOf()).toBe("");
  rmSync(file);
  expect(await refusalOf()).toBe("");
});
