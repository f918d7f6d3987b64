import { expect, test } from "bun:test";
import { createThread } from "./thread.ts";

test("a thread that the system cannot start has died once whoever sends to it has done so, each time", async () => {
  const told: string[] = [];
  const thread = createThread<string, never>({
    // Thrown where it is started, as it is where the system has no thread left.
    program: new URL("https://localhost/"),
    data: null,
    onTold: () => told.push("told"),
    onDeath: () => told.push("died"),
  });
  for (const sent of ["one", "other"]) {
    thread.send(sent);
    told.push(`sent ${sent}`);
    await Promise.resolve();
  }
  expect(told).toEqual(["sent one", "died", "sent other", "died"]);
  await thread.end(0);
});
