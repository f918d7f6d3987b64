import type { Serve, Server, WebSocketHandler } from "bun";
import type { DirectRoutes } from "./direct.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

type SocketHandlers = WebSocketHandler<never>;

/** What Bun's server asks once the late part is there. */
export interface Served {
  /** Goes before `fetch`, and behind what is direct. */
  routes: DirectRoutes;
  fetch: Fetch;
  websocket: SocketHandlers;
  /** Which server asks, each time it is another one. */
  isServedBy: (server: Server<never>) => void;
}

/** In seconds. A connection of which nothing comes and to which nothing goes is closed. */
const idleTimeout = 30;

/** Where to listen, and how. */
type Listening = Omit<Serve.HostnamePortServeOptions<never>, "routes" | "fetch" | "websocket"> &
  Pick<Serve.BaseServeOptions<never>, "tls" | "maxRequestBodySize">;

export interface LatePart<Part extends { served: Served }> {
  /** `null` before it listens. */
  server: () => Server<never> | null;
  /** Opens the port; once more, where another server is to go on in the place of one that was stopped. */
  listen: (where: Listening) => void;
  /** By the late part: whoever asks before it is there waits for it. */
  fetch: (request: Request) => Promise<Response>;
  /** Loads it and puts it in, once. */
  load: () => Promise<Part>;
  /** `null` where nobody has asked for it yet. */
  begun: () => Promise<Part> | null;
}

/**
 * Game clients ask in the moment in which a server is back; people come later, and what they use, Elysia with it, takes half of a start. So the port
 * opens with `direct` alone. The late part is loaded by whoever asks for anything else, and waits for it, or by `load`.
 */
export function createLatePart<Part extends { served: Served }>({
  direct,
  socket,
  load,
}: {
  direct: DirectRoutes;
  /** Told to the server as a whole: Elysia does not heed it at a route. */
  socket: Pick<SocketHandlers, "maxPayloadLength" | "idleTimeout">;
  load: () => Promise<Part>;
}): LatePart<Part> {
  let where: Listening = {};
  let server: Server<never> | null = null;
  let served: Served | null = null;
  let begun: Promise<Part> | null = null;
  // From the first on, because Bun upgrades no request that came to a server without: one that waits, for instance.
  const websocket: SocketHandlers = {
    ...socket,
    open: (ws) => served?.websocket.open?.(ws),
    message: (ws, message) => served?.websocket.message?.(ws, message),
    drain: (ws) => served?.websocket.drain?.(ws),
    close: (ws, code, reason) => served?.websocket.close?.(ws, code, reason),
    ping: (ws, data) => served?.websocket.ping?.(ws, data),
    pong: (ws, data) => served?.websocket.pong?.(ws, data),
  };

  return {
    server: () => server,
    listen(asked) {
      where = { idleTimeout, development: false, ...asked };
      server = Bun.serve({ ...where, ...handlers() });
      served?.isServedBy(server);
    },
    fetch,
    load: loadOnce,
    begun: () => begun,
  };

  function handlers() {
    if (served === null) return { routes: direct, fetch, websocket };
    return { routes: before(direct, served.routes), fetch: served.fetch, websocket };
  }

  async function fetch(request: Request): Promise<Response> {
    const { served } = await loadOnce();
    return served.fetch(request);
  }

  function loadOnce(): Promise<Part> {
    begun ??= putIn();
    return begun;
  }

  async function putIn(): Promise<Part> {
    const part = await load();
    served = part.served;
    if (server) {
      served.isServedBy(server);
      server.reload({ ...where, ...handlers() });
    }
    return part;
  }
}

/** Of the same path, each has its methods. */
function before(first: DirectRoutes, second: DirectRoutes): DirectRoutes {
  const paths = new Set([...Object.keys(second), ...Object.keys(first)]);
  return Object.fromEntries([...paths].map((path) => [path, { ...second[path], ...first[path] }]));
}
