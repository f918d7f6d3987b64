import { join } from "node:path";
import type { LoadOrder, LoadReport } from "./load-generator.ts";
import { onLoadCore } from "./server.ts";

/** Runs the load in a process of its own, and answers a report for each group. Throws where an answer was wrong. */
export async function load(order: LoadOrder): Promise<LoadReport[]> {
  const program = join(import.meta.dir, "load-generator.ts");
  const child = Bun.spawn(onLoadCore([process.execPath, program, JSON.stringify(order)]), {
    stdout: "pipe",
    stderr: "inherit",
  });
  const [reports, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0) throw new Error("The load ended early: what it said stands above.");
  return JSON.parse(reports);
}
