import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import packaged, { inflate, setupLambdaEnvironment } from "@sparticuz/chromium";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/**
 * A Chromium of one known version on every machine: it comes inside an npm package. Where the system lacks the libraries that it is
 * linked against, those of the same package are used. `CHROMIUM` names another executable.
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

/** Inside containers there is no sandbox to be had, and the only pages opened are our own. */
function launch(executablePath: string, options: LaunchOptions): Promise<Browser> {
  return chromium.launch({ ...options, executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}
