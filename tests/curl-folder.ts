import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./process.ts";

/** A folder with a replacement for curl, to be appended to PATH for machines without curl. The caller removes it. */
export function curlFolder(): string {
  const folder = temporaryFolder();
  const script = join(import.meta.dir, "curl.ts");
  writeFileSync(join(folder, "curl"), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, { mode: 0o755 });
  return folder;
}
