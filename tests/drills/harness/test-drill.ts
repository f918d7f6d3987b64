import assert from "node:assert/strict";
import { join } from "node:path";
import type { Drill } from "./drill.ts";

const root = join(import.meta.dir, "../../..");

interface Size {
  times: number;
  /** Settings that make the tests longer. */
  environment: Record<string, string>;
}

/**
 * A promise that tests check. CI runs these tests anyway, so the short run skips them. The long run repeats them, and
 * `--prove` shows that they detect the patch. `named` is a pattern for the tests' names if only some tests of the file
 * are relevant.
 */
export function testDrill({
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
    longOnly: `${file} checks it with the tests`,
    async run({ times, environment }) {
      const only = named === undefined ? [] : ["--test-name-pattern", named];
      const words = ["test", "--timeout=120000", `--rerun-each=${times}`, ...only, file];
      const child = Bun.spawn([process.execPath, ...words], {
        cwd: root,
        env: { ...process.env, ...environment },
        stdout: "ignore",
        stderr: "pipe",
      });
      const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      const count = (result: string) => Number(output.match(new RegExp(`^ *(\\d+) ${result}$`, "m"))?.[1] ?? 0);
      const [first] = output.match(/^\(fail\) .*?(?= \[|$)/m) ?? [];
      assert.equal(count("fail"), 0, `Failed: ${first?.replace("(fail) ", "")}`);
      if (code !== 0 || count("pass") === 0) throw new Error(`${file} ended with ${code}: ${output.slice(-500)}`);
      return `${count("pass").toLocaleString("en-US")} tests passed, ${times === 1 ? "once" : `${times} times`} each`;
    },
  };
}
