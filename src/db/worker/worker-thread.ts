import type { Database as Connection } from "bun:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "../../core/refusal.ts";
import { giveWay } from "../../core/thread.ts";
import { asRefusal, connectToRead, preparedOn, templateOn } from "../connection.ts";
import type { Question, Reading } from "../contract.ts";
import type { Answered, Asked, WorkerData } from "./worker-messages.ts";

const cacheKib = 16_384;

/** A reading takes each page once. */
const cacheOfReadingKib = 2_048;

/** A reading that was begun: its pieces, and the connection that holds its instant. */
interface Begun {
  connection: Connection;
  pieces: AsyncIterator<string | Uint8Array>;
}

/** What it can be asked by name. */
interface Known {
  questions: readonly Question<never>[];
  readings: readonly Reading<never>[];
}

/** The whole of the worker: it answers what `worker.ts` asks, and knows what it is given. */
export function serveQueries({ questions, readings }: Known): void {
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
    if (asked.ask === "answer") return { result: await answerTo(asked) };
    if (asked.ask === "begin") begin(asked);
    return { piece: asked.ask === "end" ? end(asked.stream) : await pieceOf(asked.stream) };
  }

  /** One thing is asked at a time, so nothing else is read in its transaction. */
  async function answerTo({ question: name, given }: Extract<Asked, { ask: "answer" }>): Promise<unknown> {
    const question = named(questions, name);
    reader.run("BEGIN");
    try {
      return await question.answer(readerSql, given as never, memory);
    } finally {
      reader.run("COMMIT");
    }
  }

  function begin({ stream, reading: name, given }: Extract<Asked, { ask: "begin" }>): void {
    const reading = named(readings, name);
    const connection = connectToRead(file, cacheOfReadingKib);
    connection.run("BEGIN");
    const pieces = reading.pieces(templateOn(connection), given as never)[Symbol.asyncIterator]();
    begun.set(stream, { connection, pieces });
  }

  async function pieceOf(stream: number): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const next = await begun.get(stream)?.pieces.next();
      if (!next) throw new Error("The reading is over.");
      return next.done ? end(stream) : transferable(next.value);
    } catch (error) {
      end(stream);
      throw error;
    }
  }

  function end(stream: number): null {
    // With its statements: a connection that still has some stays open, and holds its instant, until they are collected.
    begun.get(stream)?.connection.close(true);
    begun.delete(stream);
    return null;
  }

  /** Handed over without being copied; so the memory that it stands in is its own. */
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
