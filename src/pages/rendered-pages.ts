import { getLogger } from "@logtape/logtape";
import { LRUCache } from "lru-cache";
import { rendererEnvironment, rendererProgram } from "../config/files.ts";
import { busy } from "../core/refusal.ts";
import { createThread } from "../core/thread.ts";
import type { AssetManifest } from "../http/asset-manifest.ts";
import type { AskedPage } from "./asked-page.ts";
import type { Surroundings } from "./render.tsx";
import type { Rendered, RenderOrder, RenderReport } from "./render-thread.ts";
import { type CutPage, filled, freshSlots, type PerAnswer } from "./slots.ts";

const log = getLogger(["latchkey", "pages"]);

/** A page has 2,000 to 113,000: so these are some 240 pages. */
const keptBytesMax = 16_000_000;

/** Pages that wait to be rendered (rules.md: Long answers), of all and of one account. Past it the server says at once that it is busy. */
const waitingMax = 200;
const waitingOfOneMax = 50;

/** What the thread takes some milliseconds for, and beside full traffic some hundred. */
const renderMsMax = 15_000;

export interface RenderedPages {
  /** Its HTML, in UTF-8. Throws `BUSY`. */
  htmlOf(asked: AskedPage, perAnswer: PerAnswer): Promise<Uint8Array<ArrayBuffer>>;
  close(msMax: number): Promise<void>;
}

interface Waiting {
  /** The account that opens it; `null` for whoever is not signed in. */
  by: number | null;
  answer: (rendered: Rendered) => void;
  refuse: (why: Error) => void;
}

/**
 * The pages as they are answered. They are rendered by a thread of their own, so that no verification waits for one, and kept while there is
 * room: what the same person opens again is there at once. The thread starts with the first page.
 */
export function createRenderedPages({
  assets,
  program = rendererProgram,
}: {
  assets: AssetManifest;
  program?: URL;
}): RenderedPages {
  const slots = freshSlots();
  const waiting = new Map<number, Waiting>();
  let orders = 0;
  let tooLate: ReturnType<typeof setTimeout> | undefined;
  const thread = createThread<RenderOrder, RenderReport>({
    program,
    data: { assets, slots } satisfies Surroundings,
    environment: rendererEnvironment,
    onTold: take,
    onDeath(cause) {
      log.error("The thread that renders pages has died: {cause}", { cause });
      refuseAll();
    },
  });
  const kept = new LRUCache<string, CutPage>({
    maxSize: keptBytesMax,
    sizeCalculation: ({ bytes }, key) => bytes.byteLength + key.length,
  });
  /** Apart from those that are kept: what makes room for one that has come must not call off one that is waited for. */
  const underWay = new Map<string, Promise<CutPage>>();
  let closed = false;

  return {
    async htmlOf(asked, perAnswer) {
      const key = JSON.stringify(asked);
      const page = kept.get(key) ?? (await (underWay.get(key) ?? renderAndKeep(key, asked)));
      return filled(page, perAnswer);
    },

    async close(msMax) {
      closed = true;
      refuseAll();
      await thread.end(msMax);
    },
  };

  function renderAndKeep(key: string, asked: AskedPage): Promise<CutPage> {
    const rendering = render(asked)
      .then(({ page, failures }) => {
        // What is without an island may go well the next time.
        if (failures.length === 0) kept.set(key, page);
        return page;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, rendering);
    return rendering;
  }

  function render(asked: AskedPage): Promise<Rendered> {
    const by = asked.area === "panel" ? asked.viewer.id : null;
    return new Promise((answer, refuse) => {
      if (closed || waiting.size >= waitingMax || countOf(by) >= waitingOfOneMax) return refuse(busy());
      orders += 1;
      waiting.set(orders, { by, answer, refuse });
      if (waiting.size === 1) watch();
      thread.send({ order: orders, asked });
    });
  }

  function countOf(by: Waiting["by"]): number {
    return [...waiting.values()].filter((one) => one.by === by).length;
  }

  function take(report: RenderReport): void {
    const one = waiting.get(report.order);
    waiting.delete(report.order);
    watch();
    if ("failed" in report) {
      one?.refuse(new Error(report.failed));
      return;
    }
    for (const { island, cause } of report.failures) {
      log.error("An island could not be rendered: {island} {cause}", { island, cause });
    }
    one?.answer(report);
  }

  /** Each report gives the thread its time anew. */
  function watch(): void {
    clearTimeout(tooLate);
    if (waiting.size === 0) return;
    tooLate = setTimeout(() => thread.bury(`no page within ${renderMsMax} ms`), renderMsMax);
  }

  function refuseAll(): void {
    clearTimeout(tooLate);
    for (const { refuse } of waiting.values()) refuse(busy());
    waiting.clear();
  }
}
