import { join } from "node:path";
import { type Latchkey, startLatchkey as startProcess } from "../process.ts";

export { adminLogin, type Latchkey } from "../process.ts";

const executable = join(import.meta.dir, "../../build/latchkey");

/** The compiled binary on a free port, with one admin, and with nothing else unless `--demo` is among the options. Stop it, or its process stays. */
export async function startLatchkey(
  environment: Record<string, string> = {},
  options: string[] = [],
): Promise<Latchkey> {
  const latchkey = await startProcess({
    environment: { LOG_LEVEL: "warning", ...environment },
    options,
    command: [executable],
  });
  // Browsers take localhost for a secure place, as they do https.
  return { ...latchkey, url: latchkey.url.replace("127.0.0.1", "localhost") };
}
