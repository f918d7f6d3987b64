import { getLogger } from "@logtape/logtape";
import { type DatabaseEvent, deliver, type Listener } from "../../core/events.ts";
import { closeNow, connectToWriter } from "./postgres-connection.ts";
import type { Run } from "./postgres-pool.ts";

const log = getLogger(["latchkey", "database"]);

const channel = "latchkey_news";

/** PostgreSQL allows 8,000 bytes in one notification. This many session ids always fit. */
const sessionsPerNotice = 300;

/** Each process sends itself a heartbeat. After this many without a response, it listens on a new connection. */
const beatMs = 5_000;
const missedBeatsMax = 2;

/** The pause before a new connection after one was lost or could not be made. */
const retryMs = 1_000;

/** Publishes within a transaction: PostgreSQL delivers the event with the commit, to every process that listens. */
export function publishOn(run: Run): (event: DatabaseEvent) => Promise<void> {
  return async (event) => {
    for (const piece of piecesOf(event)) await notify(run, piece);
  };
}

async function notify(run: Run, notice: DatabaseEvent | null): Promise<void> {
  await run("SELECT pg_notify($1, $2)", [channel, JSON.stringify(notice)]);
}

function piecesOf(event: DatabaseEvent): DatabaseEvent[] {
  if (event.about !== "sessions") return [event];
  const pieces: DatabaseEvent[] = [];
  for (let from = 0; from < event.ended.length; from += sessionsPerNotice) {
    pieces.push({ about: "sessions", ended: event.ended.slice(from, from + sessionsPerNotice) });
  }
  return pieces;
}

/**
 * Starts to listen with the first listener, on a client with a second connection for that. After either connection was
 * lost, every listener's `missed` is called.
 */
export function createPostgresEvents({ listenUrl, run }: { listenUrl: string; run: Run }) {
  const listeners: Listener[] = [];
  let client: Promise<Bun.SQL> | null = null;
  let beating: ReturnType<typeof setInterval> | undefined;
  let trying: ReturnType<typeof setTimeout> | undefined;
  let wasListening = false;
  let isOut = false;
  let isClosed = false;
  let unheardBeats = 0;

  return {
    listen(listener: Listener): void {
      listeners.push(listener);
      if (client) return;
      begin();
      beating = setInterval(beat, beatMs).unref();
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(beating);
      clearTimeout(trying);
      await client?.then(closeNow, () => {});
    },
  };

  function begin(): void {
    clearTimeout(trying);
    const before = client;
    const mine = connectToWriter(listenUrl, (error) => lose(mine, error));
    client = mine;
    before?.then(closeNow, () => {});
    mine.then((opened) => opened.listen(channel, receive, listening)).catch((error: Error) => lose(mine, error));
  }

  function lose(lost: Promise<Bun.SQL>, error: Error | null): void {
    if (lost !== client || isClosed) return;
    if (!isOut)
      log.warning("The database's notifications are not arriving: {cause}", { cause: error?.message ?? "closed" });
    isOut = true;
    lost.then(closeNow, () => {});
    clearTimeout(trying);
    trying = setTimeout(begin, retryMs).unref();
  }

  /** A cut connection looks like an idle one, so something must be sent. */
  function beat(): void {
    unheardBeats += 1;
    if (unheardBeats > missedBeatsMax) {
      unheardBeats = 0;
      begin();
    }
    notify(run, null).catch((error) => log.debug("No notification can be sent: {error}", { error }));
  }

  /** Called at each connection, also after one was lost. */
  function listening(): void {
    if (isOut) log.info("The database's notifications are arriving again.");
    isOut = false;
    if (wasListening) for (const listener of listeners) listener.missed();
    wasListening = true;
  }

  function receive(payload: string): void {
    unheardBeats = 0;
    const event = JSON.parse(payload) as DatabaseEvent | null;
    if (event) deliver(listeners, event);
  }
}
