import { createFairSemaphore, type Requester } from "../core/fair-semaphore.ts";
import { busy, Refusal } from "../core/refusal.ts";

/** Open streams. Each holds a snapshot of the database and a connection with its page cache. */
const streamsMax = 8;

/**
 * rules.md: Long responses. While a stream is open, the write-ahead log grows, because no checkpoint can pass its
 * snapshot.
 */
const streamMsMax = 10 * 60_000;
const pieceMsMax = 30_000;

export type Piece = Uint8Array<ArrayBuffer>;

/** An open stream. `next` returns null after the last piece; `end` releases what the stream holds. */
export interface Begun {
  next(): Promise<Piece | null>;
  end(): Promise<void>;
}

export type Streams = ReturnType<typeof createStreams>;

/** The streams of one database, bounded in number and in time, whatever engine reads for them. */
export function createStreams(atOnceMax = streamsMax) {
  const places = createFairSemaphore({ atOnceMax });
  const cutOffs = new Set<() => void>();
  let isHeldBack = false;

  return {
    isAnyOpen: () => places.running() > 0,

    /**
     * Resolves with the first piece, and throws what was thrown before it. Waits for a place, and throws like `query`
     * of the contract.
     */
    async open(by: Requester, begin: () => Promise<Begun>): Promise<ReadableStream<Piece>> {
      const leave = await places.enter(by);
      let begun: Begun | null = null;
      try {
        if (isHeldBack) throw busy();
        begun = await begin();
        const { stream, cutOff } = readable(begun, await begun.next(), () => {
          cutOffs.delete(cutOff);
          leave();
        });
        cutOffs.add(cutOff);
        return stream;
      } catch (error) {
        begun?.end().catch(() => {});
        leave();
        throw error;
      }
    },

    /** Cuts off all streams and refuses new ones until it is called with false. */
    holdBack(isNow: boolean): void {
      isHeldBack = isNow;
      if (isNow) for (const cutOff of [...cutOffs]) cutOff();
    },

    close: places.close,
  };
}

/** Reads the next piece only when the consumer asks for it. */
function readable(begun: Begun, first: Piece | null, whenOver: () => void) {
  let nextPiece = async () => first;
  let isOver = false;
  let tooLong: ReturnType<typeof setTimeout>;
  let notTaken: ReturnType<typeof setTimeout>;
  let cutOff: () => void = giveUp;

  const stream = new ReadableStream<Piece>(
    {
      start(controller) {
        cutOff = () => {
          if (isOver) return;
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
  return { stream, cutOff };

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
