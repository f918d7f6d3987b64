import type { WebSocketHandler } from "bun";
import type { AnyElysia } from "elysia";
import { createBunRouteHandler } from "elysia/adapter/bun/compose";
import { websocket } from "elysia/ws";
import type { DirectRoutes } from "./direct.ts";
import type { Served } from "./late-part.ts";

/** What Bun's own router can find; the rest, a socket and paths with a wildcard or a part that may be missing, Elysia finds itself. */
const routedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What Elysia would give to Bun's server if it opened the port: here it comes to one that is open. */
export function servedBy(app: AnyElysia): Served {
  app.compile();
  return {
    routes: routesOf(app),
    fetch: (request) => app.fetch(request),
    websocket: websocket as WebSocketHandler<never>,
    isServedBy(server) {
      app.server = server;
    },
  };
}

function routesOf(app: AnyElysia): DirectRoutes {
  const routes: DirectRoutes = {};
  for (const route of app.routes) {
    const { method, path } = route;
    if (!routedMethods.has(method) || /[*?]/.test(path)) continue;
    // Made when it is first asked: each of a hundred takes a moment.
    let handler: Served["fetch"] | null = null;
    routes[encodeURI(path)] = {
      ...routes[encodeURI(path)],
      [method](request) {
        const made = handler ?? createBunRouteHandler(app, route);
        handler = made;
        return made(request);
      },
    };
  }
  return routes;
}
