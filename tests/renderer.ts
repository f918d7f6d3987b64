import { parentPort, workerData } from "node:worker_threads";
import type { Surroundings } from "../src/pages/render.tsx";
import type { RenderOrder, RenderReport } from "../src/pages/render-thread.ts";
import { cut } from "../src/pages/slots.ts";

/** In the place of `src/pages/renderer.ts`, for the tests of the pages that are kept: each page says as which of all it was rendered. */
const { slots } = workerData as Surroundings;
let count = 0;

parentPort?.on("message", ({ order, asked }: RenderOrder) => {
  const search = asked.area === "panel" ? asked.search : "";
  if (search === "?dies") process.exit(1);
  if (search === "?says-nothing") return;
  count += 1;
  const html = `number ${count}, ${search}, ${slots.nonce}, ${slots.renderedAt}${search === "?is-long" ? "!".repeat(50_000) : ""}`;
  const failures = search === "?without-an-island" ? [{ island: "header", cause: "a test" }] : [];
  const report: RenderReport =
    search === "?fails" ? { order, failed: "a test" } : { order, page: cut(html, slots), failures };
  parentPort?.postMessage(report);
});
