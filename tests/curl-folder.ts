import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./process.ts";

/** For the end of the path, where a machine without curl finds what stands in for it. Whoever asks for it removes it. */
export function curlFolder(): string {
  const folder = temporaryFolder();
  const script = join(import.meta.dir, "curl.ts");
  writeFileSync(join(folder, "curl"), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, { mode: 0o755 });
  return folder;
}
