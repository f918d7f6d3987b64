import { expect, test } from "bun:test";
import { createYoungGarbage } from "./young-garbage.ts";

/** What is collected is told of in another turn of the event loop, soon after. */
const turnsMax = 20;

test("what answers left behind is collected with the last of many, while it is young", async () => {
  let collected = 0;
  const registry = new FinalizationRegistry<null>(() => {
    collected += 1;
  });
  const garbage = createYoungGarbage();
  // In one turn, and with no collection due in it, which would find them alive: then they were young no more.
  Bun.gc(true);
  for (let answer = 1; answer <= 1_024; answer += 1) {
    registry.register({ answer }, null);
    garbage.answered();
  }
  for (let turn = 0; turn < turnsMax && collected < 900; turn += 1) await new Promise(setImmediate);
  // What a word on the stack happens to point to stays.
  expect(collected).toBeGreaterThan(900);
});
