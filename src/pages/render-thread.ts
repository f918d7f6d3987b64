import { parentPort, workerData } from "node:worker_threads";
import { giveWay } from "../core/thread.ts";
import type { AskedPage } from "./asked-page.ts";
import type { IslandFailure } from "./island-renderer.tsx";
import { renderPage, type Surroundings } from "./render.tsx";
import { type CutPage, cut } from "./slots.ts";

export interface RenderOrder {
  order: number;
  asked: AskedPage;
}

export type RenderReport = { order: number } & (Rendered | { failed: string });

export interface Rendered {
  page: CutPage;
  /** The islands that it is without. */
  failures: IslandFailure[];
}

/** The whole of the thread that renders pages: it carries out what `rendered-pages.ts` orders. */
export function renderOrders(): void {
  const surroundings = workerData as Surroundings;
  giveWay();

  parentPort?.on("message", ({ order, asked }: RenderOrder) => {
    const report: RenderReport = { order, ...rendered(asked) };
    // Handed over without being copied.
    parentPort?.postMessage(report, "page" in report ? [report.page.bytes.buffer] : []);
  });

  function rendered(asked: AskedPage): Rendered | { failed: string } {
    try {
      const { html, failures } = renderPage(asked, surroundings);
      return { page: cut(html, surroundings.slots), failures };
    } catch (error) {
      return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
}
