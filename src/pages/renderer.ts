import { renderOrders } from "./render-thread.ts";

/** The program of the thread that renders the pages, so that verification never waits for one: what `query-worker.ts` is to what is long to read. */
renderOrders();
