import { compose, type Database, type SnapshotQuery, type SqlArgument, type StreamQuery } from "../contract.ts";
import { createStreams, type Piece } from "../streams.ts";
import type { Asked } from "./worker-messages.ts";
import { type Ask, createWorkerQueue, type WorkerQueue } from "./worker-queue.ts";

/** `query`, `snapshot` and `stream` of the contract, carried out by the worker; `worker-thread.ts` is its end of them. */
export function createQueryWorker({
  file,
  program,
}: {
  file: string;
  program: URL;
}): Pick<Database, "query" | "snapshot" | "stream"> &
  Pick<WorkerQueue, "refuseAll" | "close"> & { isStreaming(): boolean } {
  const { ask, refuseAll, close } = createWorkerQueue({ file, program });
  const streams = createStreams();
  let begun = 0;

  return {
    async query<Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) {
      const answered = await ask({ ask: "rows", ...compose({ strings, values }) });
      return ("rows" in answered ? answered.rows : []) as Row[];
    },

    async snapshot<Given, Result>({ name }: SnapshotQuery<Given, Result>, given: Given) {
      const answered = await ask({ ask: "snapshot", snapshot: name, given });
      return ("result" in answered ? answered.result : undefined) as Result;
    },

    stream<Given>({ name }: StreamQuery<Given>, given: Given, accountId: number) {
      begun += 1;
      const stream = begun;
      let asked: Asked = { ask: "begin", stream, query: name, given };
      return streams.open(accountId, async () => ({
        next: () => {
          const piece = pieceOf(ask, asked);
          asked = { ask: "next", stream };
          return piece;
        },
        end: async () => void (await ask({ ask: "end", stream })),
      }));
    },

    isStreaming: streams.isAnyOpen,
    refuseAll,
    close,
  };
}

async function pieceOf(ask: Ask, asked: Asked): Promise<Piece | null> {
  const answered = await ask(asked);
  return "piece" in answered ? answered.piece : null;
}
