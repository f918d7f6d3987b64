import { expect, test } from "bun:test";
import { createThread } from "./thread.ts";

test("a thread that the system cannot start dies after each send has returned", async () => {
  const events: string[] = [];
  const thread = createThread<string, never>({
    // The start throws, as it does when the system has no thread left.
    program: new URL("https://localhost/"),
    data: null,
    onMessage: () => events.push("message"),
    onDeath: () => events.push("died"),
  });
  for (const sent of ["one", "other"]) {
    thread.send(sent);
    events.push(`sent ${sent}`);
    await Promise.resolve();
  }
  expect(events).toEqual(["sent one", "died", "sent other", "died"]);
  await thread.end(0);
});
