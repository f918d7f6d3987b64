import { expect, test } from "bun:test";
import { openSync } from "node:fs";
import { join } from "node:path";
import { isTerminal } from "./command.ts";

test("files, other devices and closed descriptors are not terminals", () => {
  expect(isTerminal(openSync(import.meta.path, "r"))).toBe(false);
  expect(isTerminal(openSync("/dev/null", "w"))).toBe(false);
  expect(isTerminal(1_000_000)).toBe(false);
});

test("a terminal is recognised", async () => {
  const program = `console.log((await import(${JSON.stringify(join(import.meta.dir, "command.ts"))})).isTerminal(1))`;
  const { promise, resolve } = Promise.withResolvers<string>();
  const terminal = { data: (_: Bun.Terminal, bytes: Uint8Array) => resolve(new TextDecoder().decode(bytes)) };
  const child = Bun.spawn([process.execPath, "-e", program], { terminal });
  expect(await promise).toContain("true");
  await child.exited;
  child.terminal?.close();
});
