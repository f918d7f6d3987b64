import { join } from "node:path";
import type { Drill } from "./drill.ts";

export const drillsFolder = join(import.meta.dir, "..");

/** All drills by name, ordered by number. */
export async function allDrills(): Promise<Map<string, Drill>> {
  const found: [string, Drill][] = [];
  for (const file of new Bun.Glob("*.ts").scanSync(drillsFolder)) {
    if (!/^export const drill\b/m.test(await Bun.file(join(drillsFolder, file)).text())) continue;
    const { drill } = (await import(join(drillsFolder, file))) as { drill: Drill };
    found.push([file.replace(/\.ts$/, ""), drill]);
  }
  const place = ([name, { number }]: [string, Drill]) => `${number.slice(1).padStart(2, "0")} ${name}`;
  return new Map(found.sort((a, b) => place(a).localeCompare(place(b))));
}

/** The patches that break the product for this drill: `<name>.patch` and `<name>.<fault>.patch`. */
export function patchesOf(name: string): string[] {
  return [`${name}.patch`, `${name}.*.patch`]
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(drillsFolder)])
    .sort();
}

/** Git's message for each patch that does not apply to the working tree. */
export function patchProblems(): string[] {
  // In a subfolder, git would ignore files outside of it.
  const cwd = join(drillsFolder, "../..");
  return [...new Bun.Glob("*.patch").scanSync(drillsFolder)].flatMap((patch) => {
    const { exitCode, stderr } = Bun.spawnSync(["git", "apply", "--check", join(drillsFolder, patch)], { cwd });
    return exitCode === 0 ? [] : [`${patch} does not apply. ${stderr.toString().trim()}`];
  });
}
