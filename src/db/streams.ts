import { busy, Refusal } from "../core/refusal.ts";

/** Streams open at once, in all and for one account. Each holds a snapshot of the database and a connection with its page cache. */
const streamsMax = 8;
const streamsPerAccountMax = 2;

/** rules.md: Long responses. While a stream is open, the write-ahead log grows, because no checkpoint can pass its snapshot. */
const streamMsMax = 10 * 60_000;
const pieceMsMax = 30_000;

export type Piece = Uint8Array<ArrayBuffer>;

/** An open stream. `next` returns null after the last piece; `end` releases what the stream holds. */
export interface Begun {
  next(): Promise<Piece | null>;
  end(): Promise<void>;
}

/** The streams of one database, bounded in number and in time, whatever engine reads for them. */
export function createStreams(atOnceMax = streamsMax) {
  /** The accounts of the open streams. */
  const underWay: number[] = [];

  return {
    isAnyOpen: () => underWay.length > 0,

    /** Resolves with the first piece, and throws what was thrown before it. Throws `BUSY` if too many streams are open. */
    async open(accountId: number, begin: () => Promise<Begun>): Promise<ReadableStream<Piece>> {
      const ofAccount = underWay.filter((id) => id === accountId).length;
      if (underWay.length >= atOnceMax || ofAccount >= streamsPerAccountMax) throw busy();
      underWay.push(accountId);
      const whenOver = () => void underWay.splice(underWay.indexOf(accountId), 1);
      let begun: Begun | null = null;
      try {
        begun = await begin();
        return readable(begun, await begun.next(), whenOver);
      } catch (error) {
        begun?.end().catch(() => {});
        whenOver();
        throw error;
      }
    },
  };
}

/** Reads the next piece only when the consumer asks for it. */
function readable(begun: Begun, first: Piece | null, whenOver: () => void): ReadableStream<Piece> {
  let nextPiece = async () => first;
  let isOver = false;
  let tooLong: ReturnType<typeof setTimeout>;
  let notTaken: ReturnType<typeof setTimeout>;
  let cutOff: () => void;

  return new ReadableStream<Piece>(
    {
      start(controller) {
        cutOff = () => {
          giveUp();
          controller.error(unreachable());
        };
        tooLong = setTimeout(cutOff, streamMsMax);
        notTaken = setTimeout(cutOff, pieceMsMax);
      },
      async pull(controller) {
        clearTimeout(notTaken);
        const piece = await nextPiece().catch((error) => {
          giveUp();
          throw error;
        });
        nextPiece = begun.next;
        if (isOver) return;
        if (piece === null) {
          giveUp();
          controller.close();
          return;
        }
        controller.enqueue(piece);
        notTaken = setTimeout(cutOff, pieceMsMax);
      },
      cancel: giveUp,
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );

  function giveUp(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(tooLong);
    clearTimeout(notTaken);
    whenOver();
    begun.end().catch(() => {});
  }
}

export function unreachable(): Refusal {
  return new Refusal(
    "STORAGE_UNAVAILABLE",
    "The server cannot read its storage at the moment. Please try again later.",
  );
}
