import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import packaged, { inflate, setupLambdaEnvironment } from "@sparticuz/chromium";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/**
 * A fixed version of Chromium from an npm package. If the system lacks its libraries, those of the same package are
 * used. `CHROMIUM` selects another executable.
 */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  if (Bun.env.CHROMIUM) return launch(Bun.env.CHROMIUM, options);
  const executable = await packaged.executablePath();
  try {
    return await launch(executable, options);
  } catch {
    const brotliFiles = join(dirname(Bun.resolveSync("@sparticuz/chromium", import.meta.dir)), "../bin");
    await inflate(join(brotliFiles, "al2023.tar.br"));
    setupLambdaEnvironment(join(tmpdir(), "al2023", "lib"));
    return launch(executable, options);
  }
}

/** Containers have no sandbox, and only the panel's own pages are opened. */
function launch(executablePath: string, { args = [], ...options }: LaunchOptions): Promise<Browser> {
  const flags = ["--no-sandbox", "--disable-dev-shm-usage", ...args];
  return chromium.launch({ ...options, executablePath, args: flags });
}
