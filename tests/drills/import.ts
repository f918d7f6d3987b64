import assert from "node:assert/strict";
import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createClient, registerReseller, signInAdmin } from "../client.ts";
import { program } from "../process.ts";
import type { Drill } from "./harness/drill.ts";
import { type Supervised, supervise } from "./harness/supervisor.ts";

interface Size {
  lines: number;
  kills: number;
  longLineMib: number;
}

/** What the longest line and 10,000 mistakes may take besides the program itself. */
const memoryMibMax = 220;

const mistakes = 10_000;

/** So that kills do not all come just after a commit. */
const killDelayMsMax = 40;

export const drill: Drill<Size> = {
  number: "R24",
  promise:
    "an import that is killed 20 times is continued by the same command and ends like an uninterrupted one; export, wipe and import give equal keys; hostile files get a clear report in bounded memory",
  onPostgres: true,
  sizes: {
    short: { lines: 2_000, kills: 4, longLineMib: 2_048 },
    long: { lines: 20_000, kills: 20, longLineMib: 2_048 },
    proof: { lines: 8_000, kills: 25, longLineMib: 512 },
  },
  async run({ lines, kills, longLineMib }) {
    const [uninterrupted, killed, wiped] = [await openPanel(), await openPanel(), await openPanel()];
    try {
      const file = fileOf(lines);
      const expected = await run(uninterrupted, ["import", write(uninterrupted, "keys.csv", file)]);
      assert.equal(expected.code, 1, `the file has wrong lines: ${expected.stderr}`);
      const exported = await run(uninterrupted, ["export"]);
      assert(exported.stdout.split("\n").length > lines / 2, "the export has the keys");

      await importKilled(killed, { path: write(killed, "keys.csv", file), lines, kills });
      const last = await run(killed, ["import", join(killed.dataFolder, "keys.csv")]);
      assert.equal(last.stdout, expected.stdout, "the report is that of an uninterrupted import");
      assert.equal((await run(killed, ["export"])).stdout, exported.stdout, "so are the keys");
      assert.equal(await killed.stored.count("orders"), await uninterrupted.stored.count("orders"));
      await killed.stored.assertIntegrity();

      const again = await run(wiped, ["import", write(wiped, "exported.csv", exported.stdout)]);
      assert.equal(again.code, 0, again.stderr);
      assert.equal((await run(wiped, ["export"])).stdout, exported.stdout, "export, wipe and import give equal keys");

      const mib = await refuseHostile(wiped, longLineMib);
      assert.equal((await run(wiped, ["export"])).stdout, exported.stdout, "hostile files import nothing");
      await wiped.stored.assertIntegrity();
      return `${kills} kills in ${lines} lines, 0 lines lost or doubled; a line of ${longLineMib} MiB took ${mib} MiB of memory`;
    } finally {
      await Promise.all([uninterrupted, killed, wiped].map((each) => each.close()));
    }
  },
};

async function openPanel(): Promise<Supervised> {
  const server = await supervise();
  const admin = await signInAdmin(() => createClient(server.url));
  await registerReseller(() => createClient(server.url), admin, { username: "night.owl", credits: 5 });
  return server;
}

function write({ dataFolder }: Supervised, name: string, content: string | Uint8Array): string {
  const path = join(dataFolder, name);
  writeFileSync(path, content);
  return path;
}

const head = "key,game,created,expires,duration_hours,starts,started,paused_at,revoked,device_limit,owner,note,devices";

/** Keys in every state, and among them wrong and duplicate lines. */
function fileOf(lines: number): string {
  const day = (number: number) => new Date(Date.UTC(2024, 0, 1 + number)).toISOString();
  const past = (number: number) => day(number % 250);
  const kinds: ((at: number) => string)[] = [
    (at) => `,${past(at)},${day(300 + (at % 9_000))},,,,,,3,,,a-${at} b-${at}`,
    (at) => `FREE FIRE,${past(at)},${day(260 + (at % 200))},,creation,,,,1,NIGHT.owl,noted ${at},c-${at}`,
    (at) => `LAST ISLAND,${past(at)},,720,first_use,,,,100,,,`,
    (at) => `,${past(at)},,480,first_use,${past(at)},,,2,night.owl,,d-${at}`,
    (at) => `,${past(at)},${day(9_000)},,,,${past(at)},,2,,"a, ""b""",e-${at}`,
    (at) => `,${past(at)},${day(9_000)},,,,,${past(at)},2,night.owl,,`,
    (at) => `CHESS,${past(at)},${day(9_000)},,,,,,2,,,`,
    (at) => `,${past(at)},,,,,,,2,,,`,
  ];
  const rows = Array.from({ length: lines }, (_, at) => {
    const key = at % 50 === 49 ? `key-${at - 40}` : `KEY-${at}`;
    const kind = kinds[at % kinds.length] as (typeof kinds)[number];
    return `${key},${kind(at).replace(/^,/, "PUBG MOBILE,")}`;
  });
  return [head, ...rows].join("\n");
}

/** Starts the command again and again, and kills it each time that it has come a little further. */
async function importKilled(
  server: Supervised,
  { path, lines, kills }: { path: string; lines: number; kills: number },
) {
  const done = async () =>
    (await server.stored.count("import_lines")) + 3 * (await server.stored.count("license_keys"));
  // About 0.7 of the lines become keys. The last ones are left for the command that is not killed.
  const total = lines * (1 + 3 * 0.5);
  for (let kill = 0; kill < kills; kill += 1) {
    const target = (total * (kill + Math.random())) / kills;
    const importing = spawn(server, ["import", path]);
    while (importing.exitCode === null && (await done()) <= target) await Bun.sleep(1);
    await Bun.sleep(Math.random() * killDelayMsMax);
    assert.equal(importing.exitCode, null, "it was killed before its end");
    importing.kill("SIGKILL");
    await importing.exited;
  }
}

/** Returns how much memory the largest file took, in MiB. */
async function refuseHostile(server: Supervised, longLineMib: number): Promise<number> {
  const wrong = async (name: string, path: string, reason: RegExp) => {
    const { code, stdout, stderr } = await run(server, ["import", path]);
    assert.equal(code, 1, `${name}: ${stderr}`);
    assert.match(stdout + stderr, reason, name);
    return stdout;
  };
  const line = "key,game,expires,device_limit";
  const good = ",FREE FIRE,2099-01-31,1";
  await wrong("NUL", write(server, "nul.csv", `${line}\nA\0B${good}`), /2,.*,wrong,.*NUL/);
  await wrong("Latin-1", write(server, "latin.csv", Buffer.from(`${line}\nÄ${good}`, "latin1")), /2,.*,wrong,.*UTF-8/);
  await wrong("UTF-16", write(server, "utf16.csv", Buffer.from(`\uFEFF${line}\nA${good}`, "utf16le")), /UTF-8|NUL|key/);
  const formula = await wrong("a formula", write(server, "formula.csv", `${line}\n"=1+1 2"${good}`), /2,/);
  assert.match(formula, /^2,'=1\+1 2,wrong|^2,"'=1\+1 2",wrong/m, "a formula is guarded in the report");
  const errors = Array.from({ length: mistakes }, (_, at) => `BAD-${at},CHESS,2099-01-31,1`);
  const many = await wrong(
    "mistakes",
    write(server, "many.csv", [line, ...errors].join("\n")),
    /There is no game CHESS/,
  );
  assert.equal(many.split("\n").length, mistakes + 2, "each mistake has its line");

  const path = join(server.dataFolder, "long.csv");
  const descriptor = openSync(path, "w");
  writeSync(descriptor, `${line}\n"`);
  ftruncateSync(descriptor, longLineMib * 2 ** 20);
  closeSync(descriptor);
  const importing = spawn(server, ["import", path]);
  let mib = 0;
  while (importing.exitCode === null) {
    mib = Math.max(mib, memoryMibOf(importing.pid));
    await Bun.sleep(20);
  }
  assert.equal(importing.exitCode, 1);
  assert.match(await new Response(importing.stdout).text(), /2,.*,wrong,.*longer/, "a line that is too long");
  assert(mib < memoryMibMax, `a line of ${longLineMib} MiB took ${mib} MiB of memory`);
  return mib;
}

function memoryMibOf(pid: number): number {
  try {
    const [, kib = "0"] = readFileSync(`/proc/${pid}/status`, "utf8").match(/RssAnon:\s+(\d+) kB/) ?? [];
    return Math.round(Number(kib) / 1_024);
  } catch {
    // It has just ended.
    return 0;
  }
}

function spawn({ environment, dataFolder }: Supervised, words: string[]) {
  return Bun.spawn([...program, ...words], { cwd: dataFolder, env: environment, stdout: "pipe", stderr: "pipe" });
}

async function run(server: Supervised, words: string[]) {
  const child = spawn(server, words);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}
