import type { LiveHello, LiveNotice } from "../../src/live/live.ts";
import type { LiveStatus } from "../state/signals.ts";

/** Starts at 1 s, doubles up to 30 s, and gives up after 5 attempts (rules.md: Reconnecting). */
const backoffMsMin = 1_000;
const backoffMsMax = 30_000;
const attemptsMax = 5;
const normalClosure = 1000;

export interface LiveOptions {
  url: string;
  resellerId: number;
  onNotice: (notice: LiveNotice) => void;
  onStatus?: (status: LiveStatus) => void;
  WebSocket?: new (url: string) => WebSocket;
  /** Calls `run` after `ms`, and returns a function that cancels it. */
  after?: (ms: number, run: () => void) => () => void;
}

/** Opens the live channel and keeps it open. `close` ends it for good, with code 1000. */
export function openLive(options: LiveOptions): { close: () => void } {
  const { url, resellerId, onNotice, onStatus = () => {}, after = afterMs } = options;
  const Socket = options.WebSocket ?? WebSocket;
  let socket: WebSocket;
  let attempts = 0;
  let ended = false;
  let callOff = () => {};

  connect();
  return { close };

  function connect() {
    onStatus("connecting");
    socket = new Socket(url);
    socket.onopen = () => socket.send(JSON.stringify({ type: "auth", resellerId } satisfies LiveHello));
    socket.onmessage = ({ data }) => receive(noticeIn(data));
    socket.onclose = ({ code }) => reconnect(code);
  }

  /** Success is the server's message, not the open socket: a server that refuses at once must not be tried forever. */
  function receive(notice: LiveNotice | null) {
    if (ended || !notice) return;
    if (notice.type === "auth_success") {
      attempts = 0;
      onStatus("open");
    }
    onNotice(notice);
  }

  function reconnect(code: number) {
    if (ended) return;
    if (code === normalClosure) return onStatus("closed");
    if (attempts >= attemptsMax) return onStatus("given-up");
    onStatus("connecting");
    callOff = after(Math.min(backoffMsMin * 2 ** attempts, backoffMsMax), connect);
    attempts += 1;
  }

  function close() {
    if (ended) return;
    ended = true;
    callOff();
    socket.close(normalClosure);
    onStatus("closed");
  }
}

function afterMs(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const noticeTypes: ReadonlySet<unknown> = new Set<LiveNotice["type"]>([
  "auth_success",
  "status_change",
  "credits_change",
]);

/** Unknown messages are ignored. */
function noticeIn(data: unknown): LiveNotice | null {
  try {
    const notice = JSON.parse(String(data)) as LiveNotice | null;
    return noticeTypes.has(notice?.type) ? notice : null;
  } catch {
    return null;
  }
}
