import { getLogger } from "@logtape/logtape";
import { LRUCache } from "lru-cache";
import { insideExecutable } from "../config/program.ts";
import { createFairSemaphore, type Requester } from "../core/fair-semaphore.ts";
import { busy } from "../core/refusal.ts";
import type { AssetManifest } from "../http/assets.ts";
import { type Brand, type CutPage, cut, filled, freshSlots, type PageRequest, type PageValues } from "./page.ts";
import type { renderPage } from "./render.tsx";

const log = getLogger(["latchkey", "pages"]);

/** A page has 2,000 to 113,000 bytes, so this keeps about 240 pages. */
const keptBytesMax = 16_000_000;

/**
 * After a page that took 5 ms to render, the next one waits for 15 ms: rendering blocks the server for a quarter of the
 * time.
 */
const restFactor = 3;
/** The first page takes longer, because React is loaded for it. */
const restMsMax = 50;

export type RenderedPages = ReturnType<typeof createRenderedPages>;

type Dependencies = { assets: AssetManifest; brand: Brand; loadRender?: () => Promise<typeof renderPage> };

/** Renders each page once, one page at a time, and caches as many as fit. */
export function createRenderedPages({ assets, brand, loadRender = loadReact }: Dependencies) {
  const slots = freshSlots();
  const kept = new LRUCache<string, CutPage>({
    maxSize: keptBytesMax,
    sizeCalculation: (page, key) => page.reduce((bytes, { piece }) => bytes + piece.byteLength, key.length),
  });
  /** Pages that wait or are being rendered, by who waits for them and their key. */
  const underWay = new Map<string, Promise<CutPage>>();
  const turns = createFairSemaphore({ atOnceMax: 1 });
  let closed = false;

  return {
    /**
     * The page's HTML, in UTF-8. `address` is that of a visitor who is not signed in. Throws `TOO_MANY_TRIES` if too
     * many pages of the account or address wait, and `BUSY`.
     */
    async htmlOf(request: PageRequest, values: PageValues, address: string): Promise<Uint8Array<ArrayBuffer>> {
      const key = JSON.stringify(request);
      return filled(kept.get(key) ?? (await renderOnce(key, request, requesterOf(request, address))), values);
    },

    /** Refuses the pages that wait. */
    close(): void {
      closed = true;
      turns.close();
    },
  };

  function renderOnce(key: string, request: PageRequest, by: Requester): Promise<CutPage> {
    const own = `${by.id} ${key}`;
    const page = underWay.get(own) ?? renderInTurn(key, request, by).finally(() => underWay.delete(own));
    underWay.set(own, page);
    return page;
  }

  async function renderInTurn(key: string, request: PageRequest, by: Requester): Promise<CutPage> {
    const leave = await turns.enter(by);
    const startedAt = performance.now();
    try {
      return kept.get(key) ?? (await render(key, request));
    } finally {
      setTimeout(leave, Math.min(restMsMax, restFactor * (performance.now() - startedAt)));
    }
  }

  async function render(key: string, request: PageRequest): Promise<CutPage> {
    const renderPage = await loadRender();
    if (closed) throw busy();
    const { html, failures } = renderPage(request, { assets, brand, slots });
    const page = cut(html, slots);
    for (const { island, cause } of failures) {
      log.error("An island could not be rendered: {island} {cause}", { island, cause });
    }
    const isPersonal = request.area === "player" && request.result !== null && request.result.found !== null;
    // A page that lacks an island may be complete the next time.
    if (failures.length === 0 && !isPersonal) kept.set(key, page);
    return page;
  }
}

/** Whose share of the server a page takes. */
export function requesterOf(request: PageRequest, address: string): Requester {
  return request.area === "panel" ? request.viewer : { id: address, role: "reseller" };
}

/** React is loaded with the first page: a server that only verifies keys does without it. */
async function loadReact(): Promise<typeof renderPage> {
  const { NODE_ENV } = Bun.env;
  // Bun may compile JSX for React's development build, depending on the folder it is started in. Only that build runs
  // both.
  if (!insideExecutable) Bun.env.NODE_ENV = "development";
  try {
    return (await import("./render.tsx")).renderPage;
  } finally {
    Bun.env.NODE_ENV = NODE_ENV;
  }
}
