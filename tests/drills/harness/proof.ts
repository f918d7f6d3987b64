import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../process.ts";
import { drillsFolder } from "./catalogue.ts";
import type { Outcome } from "./drill.ts";
import { runDrill } from "./run-drill.ts";

const root = join(import.meta.dir, "../../..");

/** The browser's files are rebuilt only for patches that change them. */
const forBrowser = /^\+\+\+ b\/(islands|public)\//m;

/**
 * Applies one of the drill's patches to a copy of the product. The outcome is "passed" if the drill fails, as it must.
 */
export async function prove(name: string, patch: string): Promise<Outcome> {
  const copy = temporaryFolder();
  try {
    copyTree(copy);
    const file = join(drillsFolder, patch);
    await run(["git", "apply", file], copy);
    if (forBrowser.test(await Bun.file(file).text())) await run([process.execPath, "src/build/assets.ts"], copy);
    await run([process.execPath, "src/build/executable.ts"], copy);
    const { outcome, found } = await runDrill({ root: copy, name, form: "proof" });
    if (outcome === "not run" || outcome === "broke off") return { outcome, found };
    if (outcome === "failed") return { outcome: "passed", found: `detects its patch: ${found}` };
    return { outcome: "failed", found: `does not detect its patch: ${found}` };
  } catch (error) {
    return { outcome: "broke off", found: (error as Error).message };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Copies the working tree (including files not yet added) and the built browser files. */
function copyTree(to: string): void {
  const listed = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of listed.stdout.toString().trim().split("\n")) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(root, path), join(to, path));
  }
  for (const path of ["build/assets", "build/browser-report.json"]) {
    cpSync(join(root, path), join(to, path), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"));
}

async function run(command: string[], cwd: string): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: "ignore", stderr: "pipe" });
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${command.slice(0, 2).join(" ")} failed: ${errors}`);
}
