import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../process.ts";
import type { Form, Outcome } from "./drill.ts";

/** A drill that has not ended by then hangs. */
const limitMs: Record<Form, number> = { short: 300_000, proof: 300_000, long: 2 * 3_600_000 };

/** By default Bun sends at most 256 requests at once, which is too few for a flood. */
const requestsAtOnceMax = 20_000;

/** The process groups of running drills, and their temporary folders. */
const underWay = new Map<number, string>();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.once(signal, () => {
    for (const [group, folder] of underWay) end(group, folder);
    process.exit(1);
  });
}

interface Order {
  /** The source tree whose executable it runs. */
  root: string;
  name: string;
  form: Form;
  /** The PostgreSQL server for its databases. Without one, they are SQLite files. */
  postgres?: string;
}

/**
 * Runs a drill in a separate process group and cleans up after it, so that a drill that hangs or crashes does not
 * affect the others.
 */
export async function runDrill({ root, name, form, postgres }: Order): Promise<Outcome> {
  let outcome: Outcome | null = null;
  const folder = temporaryFolder();
  // A PostgreSQL that a drill starts runs as another user.
  chmodSync(folder, 0o711);
  const child = Bun.spawn([process.execPath, join(root, "tests/drills/harness/drill-process.ts"), name, form], {
    cwd: root,
    env: {
      ...process.env,
      LATCHKEY_BINARY: join(root, "build/latchkey"),
      LATCHKEY_TEST_POSTGRES: postgres,
      TMPDIR: folder,
      BUN_CONFIG_MAX_HTTP_REQUESTS: String(requestsAtOnceMax),
    },
    stdout: "inherit",
    stderr: "inherit",
    detached: true,
    ipc: (message: Outcome) => {
      outcome = message;
    },
  });
  underWay.set(child.pid, folder);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endGroup(child.pid);
  }, limitMs[form]);
  await child.exited;
  clearTimeout(timer);
  end(child.pid, folder);
  underWay.delete(child.pid);
  if (outcome !== null) return outcome;
  const found = late
    ? `It did not end within ${limitMs[form] / 1_000} s.`
    : `Its process ended with ${child.exitCode}.`;
  return { outcome: "broke off", found };
}

/** Also unmounts the drill's disks, which stay mounted if it is killed. */
function end(group: number, folder: string): void {
  endGroup(group);
  const places = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
  for (const place of places) if (place.startsWith(`${folder}/`)) Bun.spawnSync(["umount", "--lazy", place]);
  rmSync(folder, { recursive: true, force: true });
}

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}
