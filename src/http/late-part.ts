import type { AnyElysia } from "elysia";
import type { DirectRoutes } from "./direct.ts";

/** What is put into the application late: its routes, and whatever else it is asked for. */
interface Late {
  plugin: (app: AnyElysia) => AnyElysia;
}

export interface LatePart<Part extends Late> {
  /** What goes before Elysia's own routes. Elysia reads it anew when it maps its routes. */
  serve: { routes: DirectRoutes };
  /** Tells Elysia, which maps its routes anew then, that the part is in. */
  arrived: Promise<(app: AnyElysia) => AnyElysia>;
  /** By the whole application: whoever asks before the part is in waits for it. */
  fetch: Fetch;
  /** Loads it and puts it in, once. */
  load: () => Promise<Part>;
  /** `null` where nobody has asked for it yet. */
  begun: () => Promise<Part> | null;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Game clients ask in the moment in which a server is back; people come later, and what they use takes a third of a start. So the port opens with
 * `direct` alone. The late part is loaded by whoever asks for anything else, and waits for it, or by `load`.
 */
export function createLatePart<Part extends Late>({
  direct,
  load,
  app,
}: {
  direct: DirectRoutes;
  load: () => Promise<Part>;
  app: () => AnyElysia;
}): LatePart<Part> {
  const serve: LatePart<Part>["serve"] = { routes: { ...direct, "/*": fetch } };
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<(app: AnyElysia) => AnyElysia>();
  let begun: Promise<Part> | null = null;

  return { serve, arrived, fetch, load: loadOnce, begun: () => begun };

  async function fetch(request: Request): Promise<Response> {
    await loadOnce();
    return app().fetch(request);
  }

  function loadOnce(): Promise<Part> {
    begun ??= putIn();
    return begun;
  }

  async function putIn(): Promise<Part> {
    const part = await load();
    // Not by the promise: of a plugin that throws there Elysia only writes a line.
    app().use(part.plugin);
    serve.routes = direct;
    arrive((whole) => whole);
    await app().modules;
    return part;
  }
}
