import { expect, test } from "bun:test";
import { createTurns } from "./turns.ts";

const staying = new AbortController().signal;

test("searches of one account wait for each other, and one whose asker has gone is passed over", async () => {
  const turns = createTurns();
  const done: string[] = [];
  const leaving = new AbortController();
  let letFirstEnd = () => {};
  const firstEnds = new Promise<void>((resolve) => {
    letFirstEnd = resolve;
  });
  const search = (name: string, gone: AbortSignal, until?: Promise<void>) =>
    turns.take({ accountId: 1, gone }, async () => {
      await until;
      done.push(name);
      return name;
    });
  const all = [search("p", staying, firstEnds), search("pb", leaving.signal), search("pbg", staying)];
  leaving.abort();
  letFirstEnd();
  expect(await Promise.all(all)).toEqual(["p", null, "pbg"]);
  expect(done).toEqual(["p", "pbg"]);
});

test("one account cannot take all places, and a search that fails keeps nobody waiting", async () => {
  const turns = createTurns();
  const failing = turns.take({ accountId: 1, gone: staying }, () => Promise.reject(new Error("lost")));
  const asked = Array.from({ length: 12 }, () => turns.take({ accountId: 1, gone: staying }, async () => "found"));
  const other = turns.take({ accountId: 2, gone: staying }, async () => "found");
  const [failed, ...answers] = await Promise.allSettled([failing, ...asked]);
  expect(failed).toMatchObject({ status: "rejected", reason: { message: "lost" } });
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
  expect(await other).toBe("found");
});
