import type { Metrics, Timing } from "../../core/metrics.ts";

/** How many requests were answered how, and in what time, by route. */
export interface RequestTimings {
  /** By this clock it is counted when something began. */
  ms: () => number;
  of(answer: { method: string; route: string; status: number }): Timing;
  /** For the routes that most requests are for: what is remembered of one is not looked for again. `null` where nobody asks for metrics. */
  ofRoute(route: { method: string; route: string }): ((status: number) => Timing) | null;
}

export function createRequestTimings({ metrics, isAsked }: { metrics: Metrics; isAsked: boolean }): RequestTimings {
  const series = metrics.timing({
    name: "latchkey_http_request_seconds",
    help: "From the first look at a request to its answer. A route is a pattern; game clients' calls are timed where METRICS_TOKEN is set.",
    labels: ["method", "route", "status"],
  });
  const of: RequestTimings["of"] = ({ method, route, status }) => series({ method, route, status: String(status) });

  return {
    ms: metrics.ms,
    of,
    ofRoute({ method, route }) {
      if (!isAsked) return null;
      const byStatus = new Map<number, Timing>();
      return (status) => {
        const known = byStatus.get(status) ?? of({ method, route, status });
        byStatus.set(status, known);
        return known;
      };
    },
  };
}
