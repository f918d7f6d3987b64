import assert from "node:assert/strict";
import { join } from "node:path";
import type { Drill } from "./drill.ts";

const root = join(import.meta.dir, "../../..");

interface Size {
  times: number;
  /** What makes the tests longer. */
  environment: Record<string, string>;
}

/**
 * A promise that tests hold. CI runs them with the others, so the short run leaves them out; the long one runs them again and again, and
 * `--prove` shows that they find what the patch breaks. `named` is part of the tests' names, where not all of the file are about it.
 */
export function heldByTest({
  file,
  named,
  environment = {},
  times,
  ...promised
}: Pick<Drill, "number" | "promise" | "onPostgres"> & {
  file: string;
  named?: string;
  environment?: Record<string, string>;
  times: number;
}): Drill<Size> {
  return {
    ...promised,
    sizes: { short: null, long: { times, environment }, proof: { times: 1, environment: {} } },
    longOnly: `${file} holds it, with the tests`,
    async run({ times, environment }) {
      const only = named === undefined ? [] : ["--test-name-pattern", named];
      const words = ["test", "--timeout=120000", `--rerun-each=${times}`, ...only, file];
      const child = Bun.spawn([process.execPath, ...words], {
        cwd: root,
        env: { ...process.env, ...environment },
        stdout: "ignore",
        stderr: "pipe",
      });
      const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      const count = (what: string) => Number(said.match(new RegExp(`^ *(\\d+) ${what}$`, "m"))?.[1] ?? 0);
      const [first] = said.match(/^\(fail\) .*?(?= \[|$)/m) ?? [];
      assert.equal(count("fail"), 0, `${first?.replace("(fail) ", "")}: not so.`);
      if (code !== 0 || count("pass") === 0) throw new Error(`${file} ended with ${code}: ${said.slice(-500)}`);
      return `${count("pass").toLocaleString("en-US")} tests passed, ${times === 1 ? "once" : `${times} times`} each`;
    },
  };
}
