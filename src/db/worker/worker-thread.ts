import type { Database as Connection } from "bun:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "../../core/refusal.ts";
import { giveWay } from "../../core/thread.ts";
import { asRefusal, connectToRead, preparedOn, templateOn } from "../connection.ts";
import type { SnapshotQuery, StreamQuery } from "../contract.ts";
import type { Answered, Asked, WorkerData } from "./worker-messages.ts";

const cacheKib = 16_384;

/** A stream reads each page once. */
const cacheOfStreamKib = 2_048;

/** An open stream: its pieces, and the connection that holds its instant. */
interface Begun {
  connection: Connection;
  pieces: AsyncIterator<string | Uint8Array>;
}

/** The queries that the worker runs by name. */
interface Known {
  snapshots: readonly SnapshotQuery<never>[];
  streams: readonly StreamQuery<never>[];
}

/** Runs the queries that `worker.ts` sends, until the thread ends. */
export function serveQueries({ snapshots, streams }: Known): void {
  const { file } = workerData as WorkerData;
  giveWay();
  const reader = connectToRead(file, cacheKib);
  const rowsOf = preparedOn(reader);
  const readerSql = templateOn(reader);
  const begun = new Map<number, Begun>();
  const encoder = new TextEncoder();
  const memory = {};

  parentPort?.on("message", async (asked: Asked) => {
    const answered = await answer(asked).catch(failureOf);
    const piece = "piece" in answered ? answered.piece : null;
    parentPort?.postMessage(answered, piece ? [piece.buffer] : []);
  });

  async function answer(asked: Asked): Promise<Answered> {
    if (asked.ask === "rows") return { rows: rowsOf(asked.text, asked.values) };
    if (asked.ask === "snapshot") return { result: await resultOf(asked) };
    if (asked.ask === "begin") begin(asked);
    return { piece: asked.ask === "end" ? end(asked.stream) : await pieceOf(asked.stream) };
  }

  /** Queries run one at a time, so no other one reads in this transaction. */
  async function resultOf({ snapshot: name, given }: Extract<Asked, { ask: "snapshot" }>): Promise<unknown> {
    const query = named(snapshots, name);
    reader.run("BEGIN");
    try {
      return await query.run(readerSql, given as never, memory);
    } finally {
      reader.run("COMMIT");
    }
  }

  function begin({ stream, query: name, given }: Extract<Asked, { ask: "begin" }>): void {
    const query = named(streams, name);
    const connection = connectToRead(file, cacheOfStreamKib);
    connection.run("BEGIN");
    const pieces = query.pieces(templateOn(connection), given as never)[Symbol.asyncIterator]();
    begun.set(stream, { connection, pieces });
  }

  async function pieceOf(stream: number): Promise<Uint8Array<ArrayBuffer> | null> {
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
    // `true` closes its statements too: with open statements the connection would keep its instant until they are collected.
    begun.get(stream)?.connection.close(true);
    begun.delete(stream);
    return null;
  }

  /** A piece in a buffer that nothing else uses, so it can be transferred without a copy. */
  function transferable(piece: string | Uint8Array): Uint8Array<ArrayBuffer> {
    return typeof piece === "string" ? encoder.encode(piece) : new Uint8Array(piece);
  }
}

function named<Known extends { name: string }>(known: readonly Known[], name: string): Known {
  const found = known.find((each) => each.name === name);
  if (!found) throw new Error(`The worker knows nothing named ${name}.`);
  return found;
}

function failureOf(thrown: unknown): Answered {
  const error = asRefusal(thrown);
  if (error instanceof Refusal) return { refused: { code: error.code, message: error.message } };
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
