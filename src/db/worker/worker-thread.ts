import type { Database as Connection } from "bun:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "../../core/refusal.ts";
import { lowerPriority } from "../../core/thread.ts";
import { asRefusal, connectToRead, preparedOn, templateOn } from "../connection.ts";
import type { SnapshotQuery, StreamQuery } from "../contract.ts";
import type { Piece } from "../streams.ts";
import type { WorkerData, WorkerRequest, WorkerResponse } from "./worker.ts";

const cacheKib = 16_384;

/** A stream reads each page once. */
const cacheOfStreamKib = 2_048;

/** An open stream: its pieces, and the connection that holds its snapshot. */
interface Begun {
  connection: Connection;
  pieces: AsyncIterator<string | Uint8Array>;
}

/** Runs the queries that `worker.ts` sends, until the thread ends. Snapshot queries and streams are sent by name. */
export function serveQueries({
  snapshots,
  streams,
}: {
  snapshots: readonly SnapshotQuery<never>[];
  streams: readonly StreamQuery<never>[];
}): void {
  const { file } = workerData as WorkerData;
  lowerPriority();
  const reader = connectToRead(file, cacheKib);
  const rowsOf = preparedOn(reader);
  const readerSql = templateOn(reader);
  const begun = new Map<number, Begun>();
  const encoder = new TextEncoder();

  parentPort?.on("message", async (request: WorkerRequest) => {
    const response: WorkerResponse = await resultOf(request).then((result) => ({ result }), failureOf);
    const isPiece = "result" in response && response.result instanceof Uint8Array;
    parentPort?.postMessage(response, isPiece ? [(response.result as Piece).buffer] : []);
  });

  async function resultOf(request: WorkerRequest): Promise<unknown> {
    if (request.kind === "rows") return rowsOf(request.text, request.values);
    if (request.kind === "snapshot") return snapshotOf(request.snapshot, request.given);
    if (request.kind === "end") return end(request.stream);
    if (request.kind === "begin") begin(request.stream, request.query, request.given);
    return nextPiece(request.stream);
  }

  /** Queries run one at a time, so no other one reads in this transaction. */
  async function snapshotOf(name: string, given: unknown): Promise<unknown> {
    const query = named(snapshots, name);
    reader.run("BEGIN");
    try {
      return await query.run(readerSql, given as never);
    } finally {
      reader.run("COMMIT");
    }
  }

  function begin(stream: number, name: string, given: unknown): void {
    const query = named(streams, name);
    const connection = connectToRead(file, cacheOfStreamKib);
    connection.run("BEGIN");
    const pieces = query.pieces(templateOn(connection), given as never)[Symbol.asyncIterator]();
    begun.set(stream, { connection, pieces });
  }

  async function nextPiece(stream: number): Promise<Piece | null> {
    try {
      const next = await begun.get(stream)?.pieces.next();
      if (!next) throw new Error("The stream is over.");
      return next.done ? end(stream) : transferable(next.value);
    } catch (error) {
      end(stream);
      throw error;
    }
  }

  function end(stream: number): null {
    // `true` closes its statements too: with open statements the connection would keep its snapshot until they are
    // garbage-collected.
    begun.get(stream)?.connection.close(true);
    begun.delete(stream);
    return null;
  }

  /** A piece in a buffer that nothing else uses, so it can be transferred without a copy. */
  function transferable(piece: string | Uint8Array): Piece {
    return typeof piece === "string" ? encoder.encode(piece) : new Uint8Array(piece);
  }
}

function named<Known extends { name: string }>(known: readonly Known[], name: string): Known {
  const found = known.find((each) => each.name === name);
  if (!found) throw new Error(`The worker has no query named ${name}.`);
  return found;
}

function failureOf(thrown: unknown): WorkerResponse {
  const error = asRefusal(thrown);
  if (error instanceof Refusal) return { refused: { code: error.code, message: error.message } };
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
