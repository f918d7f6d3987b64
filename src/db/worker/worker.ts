import { getLogger } from "@logtape/logtape";
import { atMost } from "../../core/clock.ts";
import { createFairSemaphore, type Requester } from "../../core/fair-semaphore.ts";
import { busy, Refusal, type RefusalCode } from "../../core/refusal.ts";
import { createThread } from "../../core/thread.ts";
import {
  compose,
  type SnapshotQuery,
  type Sql,
  type SqlArgument,
  type SqlValue,
  type StreamQuery,
} from "../contract.ts";
import { createStreams, type Piece, unreachable } from "../streams.ts";

const log = getLogger(["latchkey", "database"]);

/** How long a request may run before the thread counts as dead. */
const responseMsMax = 60_000;

/** How long `close` waits for the query that is running. */
const closeMsMax = 2_000;

/** The data that the worker starts with. */
export interface WorkerData {
  file: string;
}

/**
 * The worker receives one request at a time: a query for rows, a snapshot query, or a step of a stream, which has a
 * number until it ends.
 */
export type WorkerRequest =
  | { kind: "rows"; text: string; values: SqlValue[] }
  | { kind: "snapshot"; snapshot: string; given: unknown }
  | { kind: "begin"; stream: number; query: string; given: unknown }
  | { kind: "next"; stream: number }
  | { kind: "end"; stream: number };

/**
 * The result is rows, a snapshot query's result, or a piece of a stream, which is null after the last. Errors contain
 * only what callers may know.
 */
export type WorkerResponse =
  | { result: unknown }
  | { refused: { code: RefusalCode; message: string } }
  | { failed: string };

interface QueuedRequest {
  request: WorkerRequest;
  resolve: (response: WorkerResponse) => void;
  reject: (refusal: Refusal) => void;
}

/**
 * `query`, `snapshot` and `stream` of the contract, run by a worker thread; `worker-thread.ts` is its other end. The
 * thread starts with the first query and receives one request at a time: one query, and the pieces of open streams,
 * take turns. When it dies, the running request is refused, and the next one starts a new thread.
 */
export function createQueryWorker({ file, program }: { file: string; program: URL }) {
  const turns = createFairSemaphore({ atOnceMax: 1 });
  /** One query at most, and pieces of streams. */
  const waiting: QueuedRequest[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: QueuedRequest | null = null;
  let lastKind: WorkerRequest["kind"] = "rows";
  let isClosed = false;
  let onceIdle: () => void = () => {};
  const streams = createStreams();
  let streamsBegun = 0;
  const thread = createThread<WorkerRequest, WorkerResponse>({
    program,
    data: { file } satisfies WorkerData,
    onMessage: (response) => finish(({ resolve }) => resolve(response)),
    onDeath(cause) {
      log.error("The worker has died: {cause}", { cause });
      finish(({ reject }) => reject(unreachable()));
    },
  });

  return {
    query:
      (by: Requester): Sql =>
      <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) =>
        inTurn<Row[]>(by, { kind: "rows", ...compose({ strings, values }) }),

    snapshot<Given, Result>({ name }: SnapshotQuery<Given, Result>, given: Given, by: Requester): Promise<Result> {
      return inTurn<Result>(by, { kind: "snapshot", snapshot: name, given });
    },

    stream<Given>({ name }: StreamQuery<Given>, given: Given, by: Requester): Promise<ReadableStream<Piece>> {
      streamsBegun += 1;
      const stream = streamsBegun;
      let request: WorkerRequest = { kind: "begin", stream, query: name, given };
      return streams.open(by, async () => ({
        next() {
          const piece = send<Piece | null>(request);
          request = { kind: "next", stream };
          return piece;
        },
        end: () => send<void>({ kind: "end", stream }),
      }));
    },

    streams,

    /** Refuses everything from now on, including what waits and what is running. */
    refuseAll() {
      refuseWaiting();
      // A result that comes later is ignored.
      current?.reject(busy());
    },

    async close(msMax: number) {
      refuseWaiting();
      await atMost(msMax, end());
    },
  };

  async function inTurn<Result>(by: Requester, request: WorkerRequest): Promise<Result> {
    const leave = await turns.enter(by);
    return send<Result>(request).finally(leave);
  }

  /** Throws what the worker threw, `BUSY`, or `STORAGE_UNAVAILABLE` if the worker dies. */
  async function send<Result>(request: WorkerRequest): Promise<Result> {
    const response = await new Promise<WorkerResponse>((resolve, reject) => {
      if (isClosed) return reject(busy());
      waiting.push({ request, resolve, reject });
      sendNext();
    });
    if ("refused" in response) throw new Refusal(response.refused.code, response.refused.message);
    if ("failed" in response) throw new Error(response.failed);
    return response.result as Result;
  }

  function sendNext(): void {
    const next = current ? undefined : takeNext();
    if (!next) return;
    timer = setTimeout(() => thread.kill(`no response within ${responseMsMax} ms`), responseMsMax);
    current = next;
    lastKind = next.request.kind;
    thread.send(next.request);
  }

  /** Queries and pieces of streams take turns, so that neither keeps the other waiting for long. */
  function takeNext(): QueuedRequest | undefined {
    const other = waiting.findIndex(({ request }) => isOfStream(request.kind) !== isOfStream(lastKind));
    return waiting.splice(Math.max(0, other), 1)[0];
  }

  function finish(settle: (request: QueuedRequest) => void): void {
    const finished = current;
    current = null;
    if (!finished) return;
    clearTimeout(timer);
    settle(finished);
    onceIdle();
    sendNext();
  }

  function refuseWaiting(): void {
    isClosed = true;
    turns.close();
    streams.close();
    for (const { reject } of waiting.splice(0)) reject(busy());
  }

  async function end(): Promise<void> {
    if (current) {
      const idle = new Promise<void>((resolve) => {
        onceIdle = resolve;
      });
      await atMost(closeMsMax, idle);
    }
    await thread.end(closeMsMax);
  }
}

function isOfStream(kind: WorkerRequest["kind"]): boolean {
  return kind !== "rows" && kind !== "snapshot";
}
