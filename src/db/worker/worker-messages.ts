import type { RefusalCode } from "../../core/refusal.ts";
import type { SqlValue } from "../contract.ts";

/** What the worker is started with. */
export interface WorkerData {
  file: string;
}

/** What it is asked, one at a time: rows, a question, or the pieces of a reading that it holds under a number until it is over. */
export type Asked =
  | { ask: "rows"; text: string; values: SqlValue[] }
  | { ask: "answer"; question: string; given: unknown }
  | { ask: "begin"; stream: number; reading: string; given: unknown }
  | { ask: "next"; stream: number }
  | { ask: "end"; stream: number };

/** What it answers to each: `null` for the piece after the last. An error crosses as what it was, as far as anybody may know of it. */
export type Answered =
  | { rows: unknown[] }
  | { result: unknown }
  | { piece: Uint8Array<ArrayBuffer> | null }
  | { refused: { code: RefusalCode; message: string } }
  | { failed: string };
