import type { RefusalCode } from "../../core/refusal.ts";
import type { SqlValue } from "../contract.ts";

/** What the worker is started with. */
export interface WorkerData {
  file: string;
}

/** What the worker is sent, one at a time: a query for rows, a snapshot query, or the steps of a stream, which has a number until it ends. */
export type Asked =
  | { ask: "rows"; text: string; values: SqlValue[] }
  | { ask: "snapshot"; snapshot: string; given: unknown }
  | { ask: "begin"; stream: number; query: string; given: unknown }
  | { ask: "next"; stream: number }
  | { ask: "end"; stream: number };

/** What it sends back: null after the last piece, and of an error only what callers may know. */
export type Answered =
  | { rows: unknown[] }
  | { result: unknown }
  | { piece: Uint8Array<ArrayBuffer> | null }
  | { refused: { code: RefusalCode; message: string } }
  | { failed: string };
