import { watch } from "node:fs";
import { join } from "node:path";

/** `bun run dev`: runs the panel from its source, and rebuilds and restarts it when a file changes. */
const root = join(import.meta.dir, "../..");
const quietMs = 150;

let server: Bun.Subprocess | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let restarted = Promise.resolve();

for (const folder of ["src", "islands", "public", "migrations"]) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (file && !/\.test\.tsx?$/.test(file)) restartSoon();
  });
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    clearTimeout(timer);
    await restarted;
    await stop();
    process.exit(0);
  });
}
restartNext();

/** Waits until an editor has finished writing. */
function restartSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(restartNext, quietMs);
}

/** Restarts one after another, because two at once would leave a server running. */
function restartNext(): void {
  restarted = restarted.then(restart);
}

async function restart(): Promise<void> {
  const built = await Bun.spawn([process.execPath, "src/build/assets.ts"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  }).exited;
  // After a failed build the last working server keeps running.
  if (built !== 0) return;
  await stop();
  server = Bun.spawn([process.execPath, "src/main.ts", "serve", ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "development" },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

async function stop(): Promise<void> {
  server?.kill("SIGTERM");
  await server?.exited;
  server = null;
}
