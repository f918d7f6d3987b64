import { join } from "node:path";
import { type Latchkey, startLatchkey as startProcess } from "../process.ts";

export { adminLogin, type Latchkey } from "../process.ts";

const executable = join(import.meta.dir, "../../build/latchkey");

/**
 * Starts the executable on a free port, with one admin and no data unless the options include `--demo`. The caller must
 * stop it.
 */
export async function startLatchkey(
  environment: Record<string, string> = {},
  options: string[] = [],
): Promise<Latchkey> {
  const latchkey = await startProcess({
    environment: { LOG_LEVEL: "warning", ...environment },
    options,
    command: [executable],
  });
  // Browsers treat localhost as a secure context.
  return { ...latchkey, url: latchkey.url.replace("127.0.0.1", "localhost") };
}
