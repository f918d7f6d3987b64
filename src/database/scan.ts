import type { Database, Reading, SqlArgument } from "./database.ts";
import type { Asked } from "./scan-messages.ts";
import { type Ask, busy, createScanQueue, unreachable } from "./scan-queue.ts";
import { compose } from "./statements.ts";

/** Readings under way at once. Each holds an instant of the database, and a connection with its pages. */
const streamsMax = 4;

/** rules.md: Downloads. While a reading lasts, the log of what is written meanwhile grows, because none of it may be written back. */
const streamMsMax = 10 * 60_000;
const pieceMsMax = 30_000;

type Piece = Uint8Array<ArrayBuffer>;

/** `scan` and `stream` of the contract, carried out by the scanning thread; `scan-thread.ts` is its end of them. */
export function createScans(options: { file: string; program: URL }): Pick<Database, "scan" | "stream" | "close"> {
  const { ask, close } = createScanQueue(options);
  let underWay = 0;
  let begun = 0;

  return {
    async scan<Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) {
      const answered = await ask({ ask: "rows", ...compose({ strings, values }) });
      return ("rows" in answered ? answered.rows : []) as Row[];
    },

    async stream<Given>({ name }: Reading<Given>, given: Given) {
      if (underWay >= streamsMax) throw busy();
      underWay += 1;
      begun += 1;
      const stream = begun;
      const whenOver = () => {
        underWay -= 1;
      };
      try {
        const first = await pieceOf(ask, { ask: "begin", stream, reading: name, given });
        return readable({ ask, stream, first, whenOver });
      } catch (error) {
        whenOver();
        throw error;
      }
    },

    close,
  };
}

/** The pieces as they are taken: the thread reads the next one when somebody waits for it. */
function readable({
  ask,
  stream,
  first,
  whenOver,
}: {
  ask: Ask;
  stream: number;
  first: Piece | null;
  whenOver: () => void;
}): ReadableStream<Piece> {
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
        nextPiece = () => pieceOf(ask, { ask: "next", stream });
        if (isOver) return;
        if (piece === null) {
          over();
          controller.close();
          return;
        }
        controller.enqueue(piece);
        notTaken = setTimeout(cutOff, pieceMsMax);
      },
      cancel: giveUp,
    },
    // Nothing is read ahead of whoever takes it.
    { highWaterMark: 0 },
  );

  function giveUp(): void {
    if (isOver) return;
    over();
    ask({ ask: "end", stream }).catch(() => {});
  }

  function over(): void {
    isOver = true;
    clearTimeout(tooLong);
    clearTimeout(notTaken);
    whenOver();
  }
}

async function pieceOf(ask: Ask, asked: Asked): Promise<Piece | null> {
  const answered = await ask(asked);
  return "piece" in answered ? answered.piece : null;
}
