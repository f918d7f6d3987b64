import { expect, test } from "bun:test";
import type { LiveNotice } from "../../src/live/live.ts";
import { openLive } from "./live.ts";

/** A socket that the test plays the server of. */
class TestSocket {
  static opened: TestSocket[] = [];
  onopen = () => {};
  onmessage = (_: { data: string }) => {};
  onclose = (_: { code: number }) => {};
  sent: string[] = [];
  closedWith: number | null = null;
  constructor(readonly url: string) {
    TestSocket.opened.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close(code: number) {
    this.closedWith = code;
  }
  say(notice: object | string) {
    this.onmessage({ data: typeof notice === "string" ? notice : JSON.stringify(notice) });
  }
}

function open() {
  TestSocket.opened = [];
  const delays: number[] = [];
  const statuses: string[] = [];
  const notices: LiveNotice[] = [];
  let pending: (() => void) | null = null;
  const live = openLive({
    url: "ws://localhost/ws",
    resellerId: 7,
    onNotice: (notice) => notices.push(notice),
    onStatus: (status) => statuses.push(status),
    WebSocket: TestSocket as unknown as new (url: string) => WebSocket,
    after: (ms, act) => {
      delays.push(ms);
      pending = act;
      return () => {
        pending = null;
      };
    },
  });
  const socket = () => TestSocket.opened.at(-1) as TestSocket;
  const wait = () => {
    const act = pending;
    pending = null;
    act?.();
  };
  return { live, delays, statuses, notices, socket, wait, waiting: () => pending !== null };
}

test("the channel sends the reseller's id as soon as it is open", () => {
  const { socket } = open();
  socket().onopen();
  expect(socket().sent).toEqual(['{"type":"auth","resellerId":7}']);
});

test("after an abnormal close it tries again after 1, 2, 4, 8 and 16 s, and then gives up", () => {
  const { socket, delays, wait, waiting, statuses } = open();
  for (let attempt = 0; attempt < 6; attempt++) {
    socket().onclose({ code: 1006 });
    wait();
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(TestSocket.opened).toHaveLength(6);
  expect(waiting()).toBeFalse();
  expect(statuses.at(-1)).toBe("given-up");
});

test("the attempts are counted anew once the server accepts, and not when the socket merely opens", () => {
  const { socket, delays, wait } = open();
  socket().onclose({ code: 1006 });
  wait();
  socket().onopen();
  socket().onclose({ code: 1008 });
  wait();
  socket().onopen();
  socket().say({ type: "auth_success" });
  socket().onclose({ code: 1001 });
  expect(delays).toEqual([1_000, 2_000, 1_000]);
});

test("a normal close by the server is final", () => {
  const { socket, waiting, statuses } = open();
  socket().onclose({ code: 1000 });
  expect(waiting()).toBeFalse();
  expect(statuses.at(-1)).toBe("closed");
});

test("closing sends 1000, cancels a waiting attempt, and ignores later messages", () => {
  const { live, socket, waiting, notices } = open();
  socket().onclose({ code: 1006 });
  live.close();
  expect(waiting()).toBeFalse();
  expect(socket().closedWith).toBe(1000);
  socket().say({ type: "status_change", isActive: false, message: "late" });
  socket().onclose({ code: 1006 });
  expect(waiting()).toBeFalse();
  expect(notices).toEqual([]);
});

test("unknown messages are ignored", () => {
  const { socket, notices } = open();
  for (const text of ["", "null", "{", '{"type":"other"}', "[]"]) socket().say(text);
  expect(notices).toEqual([]);
  socket().say({ type: "status_change", isActive: true, message: "Back." });
  expect(notices).toEqual([{ type: "status_change", isActive: true, message: "Back." }]);
});
