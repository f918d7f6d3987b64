/** Hands one piece over, and answers once it was taken. */
export type Write = (piece: Uint8Array) => Promise<void>;

/** A stream that asks for the next piece only when the last one was taken: memory stays small however slow the reader. */
export function streamOf(produce: (write: Write) => Promise<void>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  produce((piece) => writer.write(piece)).then(
    () => writer.close(),
    (error) => writer.abort(error),
  );
  return readable;
}

/** Rows that a long download reads between two turns of the event loop. */
export const rowsPerPiece = 500;

/** Lets everyone else have their turn, so that long reading does not hold up verification. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
