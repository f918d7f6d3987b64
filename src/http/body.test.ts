import { afterEach, expect, jest, test } from "bun:test";
import { msPerSecond } from "../core/clock.ts";

/** Another copy, whose sweep has not begun with the real timers. */
const { fileOf }: typeof import("./body.ts") = await import("./body.ts?copy" as string);

afterEach(() => void jest.useRealTimers());

test("a file of which nothing more arrives is broken off after 24 s, however fast it began", async () => {
  jest.useFakeTimers();
  const timeouts: number[] = [];
  const server = { timeout: (_request: Request, seconds: number) => void timeouts.push(seconds) };
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const request = new Request("http://localhost/", { method: "POST", body: readable });
  const file = fileOf({ request, server });
  const writer = writable.getWriter();
  const send = (bytes: number) => writer.write(new Uint8Array(bytes));
  for (const bytes of [2 ** 23, 1]) {
    void send(bytes);
    expect((await file.next()).value).toHaveLength(bytes);
    const later = file.next();
    jest.advanceTimersByTime(22 * msPerSecond);
    expect(timeouts).toEqual([0]);
    void send(1);
    await later;
  }
  const broken = file.next();
  jest.advanceTimersByTime(24 * msPerSecond);
  expect(timeouts).toEqual([0, 1]);
  void writer.abort(new Error("The connection was closed."));
  await expect(broken).rejects.toMatchObject({ code: "INVALID" });
});
