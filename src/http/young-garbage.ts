import { edenGC } from "bun:jsc";

/** What so many answers leave behind is some 3 MB. */
const answersBetween = 1_024;

/**
 * Is told of each answer, and now and then collects what answers left behind. By itself JavaScriptCore lets up to 70 MB gather beside the memory of
 * connected devices. They are given back to the system while nobody asks, and each of their pages is a page fault when it is written to again;
 * after a few megabytes it is the same pages that are used again.
 */
export function createYoungGarbage(): { answered(): void } {
  let answers = 0;
  return {
    answered() {
      answers += 1;
      if (answers < answersBetween) return;
      answers = 0;
      edenGC();
    },
  };
}
