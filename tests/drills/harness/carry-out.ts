import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../process.ts";
import type { Form, Outcome } from "./drill.ts";

const limitMs: Record<Form, number> = { short: 120_000, proof: 300_000, long: 2 * 3_600_000 };

/** Bun keeps all but 256 waiting by itself, and a flood would be none. */
const requestsAtOnceMax = 20_000;

/** The process groups of the drills under way, and where each has its temporary files. */
const underWay = new Map<number, string>();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.once(signal, () => {
    for (const [group, folder] of underWay) end(group, folder);
    process.exit(1);
  });
}

interface Order {
  /** The tree whose executable it works on. */
  root: string;
  name: string;
  form: Form;
  /** A PostgreSQL for its databases; without one they are files. */
  postgres?: string;
}

/**
 * Carries out a drill in a process group of its own, and ends whatever the drill leaves behind:
 * a drill that hangs, or dies, must not take the others with it.
 */
export async function carryOut({ root, name, form, postgres }: Order): Promise<Outcome> {
  let outcome: Outcome | null = null;
  const folder = temporaryFolder();
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
  const found = late ? `It had no end within ${limitMs[form] / 1_000} s.` : `Its process ended with ${child.exitCode}.`;
  return { outcome: "broke off", found };
}

/** Also the disks that a drill has mounted, which would stay where it is ended in its middle. */
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
    // Nothing of it is left.
  }
}
