import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { randomLetters } from "../../src/core/key-text.ts";
import { type Bench, type Figure, median } from "./bench.ts";
import { game } from "./key-space.ts";
import { load } from "./load.ts";
import { onLoadCore } from "./server.ts";

const connections = 32;

/** How many keys are imported into the large database: a fifth of what it has. */
const shareImported = 0.2;

/**
 * Imports keys with two devices each beside a server at half load. Returns how many seconds it takes, and the ratio of
 * verify's p99 during it to the p99 without it.
 */
export async function imports(bench: Bench): Promise<Figure[]> {
  const folder = await bench.dataFolder(bench.keys);
  const server = await bench.serve(folder);
  const count = bench.keys * shareImported;
  const file = join(folder, "keys.csv");
  await writeKeys(file, count);
  await server.idle();
  const drive = (requestsPerSecond?: number) =>
    load({
      ...{ port: server.port, kind: "connected", keys: { count: bench.keys }, connections, seconds: bench.seconds },
      requestsPerSecond,
    });
  const half = (await drive()).perSecond / 2;
  const quiet: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) quiet.push((await drive(half)).p99Ms);

  const startedMs = performance.now();
  const command = onLoadCore(["nice", "-n", "19", bench.executable, "import", file]);
  const importing = Bun.spawn(command, { env: { DATA_DIR: folder }, stdout: "ignore", stderr: "pipe" });
  let seconds = 0;
  const ended = importing.exited.then(() => {
    seconds = (performance.now() - startedMs) / 1_000;
  });
  const busy: number[] = [];
  while (seconds === 0) busy.push((await drive(half)).p99Ms);
  await ended;
  if (importing.exitCode !== 0) throw new Error(`The import failed: ${await new Response(importing.stderr).text()}`);
  await server.stop();
  const [quietMs, busyMs] = [median(quiet), median(busy)];
  const perSecond = Math.round(count / seconds);
  return [
    { value: seconds, note: `${count} keys, ${perSecond} a second` },
    { value: busyMs / quietMs, note: `${quietMs.toFixed(1)} to ${busyMs.toFixed(1)} ms` },
  ];
}

async function writeKeys(file: string, count: number): Promise<void> {
  const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
  const stream = createWriteStream(file);
  stream.write("key,game,created,expires,device_limit,note,devices\n");
  for (let number = 0; number < count; number += 1) {
    const key = `OLD-${randomLetters(16, random)}`;
    stream.write(`${key},${game},2026-01-01,2090-01-01,3,,${randomLetters(16, random)} ${randomLetters(16, random)}\n`);
  }
  await new Promise((resolve) => stream.end(resolve));
}
