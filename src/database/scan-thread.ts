import type { Database as Connection } from "bun:sqlite";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "../refusal.ts";
import { asRefusal, connectToRead, templateOn } from "./connection.ts";
import type { Reading } from "./database.ts";
import type { Answered, Asked, ScannerData } from "./scan-messages.ts";
import { createTextStatements } from "./statements.ts";

/** Where there are fewer cores than work, verifications go first: this thread then gets about a tenth of a core. */
const niceness = 10;

const cacheKib = 16_384;

/** A reading that was begun: its pieces, and the connection that holds its instant. */
interface Begun {
  connection: Connection;
  pieces: AsyncIterator<string | Uint8Array>;
}

/** The whole of the scanning thread: it answers what `scan.ts` asks, and knows the readings that it is given. */
export function answerScans(readings: readonly Reading<never>[]): void {
  const { file } = workerData as ScannerData;
  // On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
  if (process.platform === "linux") setPriority(0, niceness);
  const rowsOf = createTextStatements(connectToRead(file, cacheKib));
  const begun = new Map<number, Begun>();
  const encoder = new TextEncoder();

  parentPort?.on("message", async (asked: Asked) => {
    const answered = await answer(asked).catch(failureOf);
    const piece = "piece" in answered ? answered.piece : null;
    parentPort?.postMessage(answered, piece ? [piece.buffer] : []);
  });

  async function answer(asked: Asked): Promise<Answered> {
    if (asked.ask === "rows") return { rows: rowsOf(asked.text, asked.values) };
    if (asked.ask === "begin") begin(asked);
    return { piece: asked.ask === "end" ? end(asked.stream) : await pieceOf(asked.stream) };
  }

  function begin({ stream, reading: name, given }: Extract<Asked, { ask: "begin" }>): void {
    const reading = readings.find((known) => known.name === name);
    if (!reading) throw new Error(`The scanning thread knows no reading named ${name}.`);
    const connection = connectToRead(file, cacheKib);
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

function failureOf(thrown: unknown): Answered {
  const error = asRefusal(thrown);
  if (error instanceof Refusal) return { refused: { code: error.code, message: error.message } };
  return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
