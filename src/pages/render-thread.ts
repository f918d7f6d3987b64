import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { AskedPage } from "./asked-page.ts";
import { type RenderedPage, renderPage, type Surroundings } from "./render.tsx";

/** Where there are fewer cores than work, verifications go first. */
const niceness = 10;

export interface RenderOrder {
  order: number;
  asked: AskedPage;
}

export type RenderReport = { order: number } & ({ rendered: RenderedPage } | { failed: string });

/** The whole of the thread that renders pages: it carries out what `rendered-pages.ts` orders. */
export function renderOrders(): void {
  const surroundings = workerData as Surroundings;
  // On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
  if (process.platform === "linux") setPriority(0, niceness);

  parentPort?.on("message", ({ order, asked }: RenderOrder) => {
    parentPort?.postMessage({ order, ...rendered(asked) } satisfies RenderReport);
  });

  function rendered(asked: AskedPage): { rendered: RenderedPage } | { failed: string } {
    try {
      return { rendered: renderPage(asked, surroundings) };
    } catch (error) {
      return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
}
