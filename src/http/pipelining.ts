import { Refusal } from "../core/refusal.ts";

/** Clients and proxies send their next request after the response, so each arrives in another turn. */
const requestsOfConnectionMax = 10;

/** So many connections may have one request each before anything is counted. */
const requestsUncounted = 50;

/**
 * Bun handles all requests that have arrived on a connection in one turn of the event loop, thousands of them, and
 * keeps their responses in memory. The returned function refuses more than a few on a connection; the refusal closes
 * it, which drops the requests behind.
 */
export function createPipelineLimit(connectionOf: (request: Request) => string | null) {
  const counts = new Map<string, number>();
  let requests = 0;
  let latest: Request | null = null;

  return (request: Request): void => {
    // With METRICS_TOKEN, two hooks see the request of a game client.
    if (request === latest) return;
    latest = request;
    if (requests === 0) setImmediate(reset);
    requests += 1;
    // Most turns end here, without a connection to look up.
    if (requests <= requestsUncounted) return;
    const connection = connectionOf(request);
    if (connection === null) return;
    const count = (counts.get(connection) ?? 0) + 1;
    counts.set(connection, count);
    if (count <= requestsOfConnectionMax) return;
    const sentence = "Too many requests at once on one connection. Please wait for the responses.";
    throw new Refusal("TOO_MANY_TRIES", sentence, { retryAfterSeconds: 1, closesConnection: true });
  };

  function reset(): void {
    requests = 0;
    latest = null;
    counts.clear();
  }
}
