import { expect, test } from "bun:test";
import { createYoungGarbage } from "./young-garbage.ts";

test("what answers left behind is collected once there are many", async () => {
  // What tests before left behind may make a collection due in the midst of this one, and what it finds alive is young no more.
  Bun.gc(true);
  const garbage = createYoungGarbage();
  const leftBehind: WeakRef<object>[] = [];
  for (let answer = 1; answer < 1_024; answer += 1) {
    leftBehind.push(new WeakRef({ answer }));
    garbage.answered();
  }
  // Within the turn that made it, nothing that is known by a WeakRef is let go.
  await Bun.sleep(0);
  const still = () => leftBehind.filter((each) => each.deref()).length;
  expect(still()).toBe(1_023);
  await Bun.sleep(0);
  garbage.answered();
  await Bun.sleep(0);
  // What a word on the stack happens to point to stays.
  expect(still()).toBeLessThan(100);
});
