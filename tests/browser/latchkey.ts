import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const executable = join(import.meta.dir, "../../build/latchkey");
const startMsMax = 10_000;
const stopMsMax = 6_000;

export const adminLogin = { username: "admin", password: "browser-test-password" };

export interface Latchkey {
  url: string;
  dataFolder: string;
  stop: () => Promise<void>;
}

/** The compiled binary on a free port, with an empty database and one admin. Stop it, or its process stays. */
export async function startLatchkey(environment: Record<string, string> = {}): Promise<Latchkey> {
  const dataFolder = mkdtempSync(join(tmpdir(), "latchkey-browser-"));
  const port = freePort();
  const server = Bun.spawn([executable, "serve"], {
    cwd: dataFolder,
    env: {
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataFolder,
      ADMIN_USERNAME: adminLogin.username,
      ADMIN_PASSWORD: adminLogin.password,
      RATE_LIMITS: "off",
      LOG_LEVEL: "warning",
      ...environment,
    },
    stdout: "ignore",
    stderr: "inherit",
  });
  const stop = async () => {
    server.kill("SIGTERM");
    const late = setTimeout(() => server.kill("SIGKILL"), stopMsMax);
    await server.exited;
    clearTimeout(late);
    rmSync(dataFolder, { recursive: true, force: true });
  };
  const url = `http://localhost:${port}`;
  try {
    await becomesHealthy(`http://127.0.0.1:${port}`, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, dataFolder, stop };
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  const { port } = probe;
  probe.stop(true);
  return port as number;
}

async function becomesHealthy(url: string, server: Bun.Subprocess): Promise<void> {
  const deadline = Date.now() + startMsMax;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`build/latchkey serve ended with code ${server.exitCode}.`);
    const healthy = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    await Bun.sleep(25);
  }
  throw new Error(`build/latchkey serve did not answer /healthz within ${startMsMax / 1_000} s.`);
}
