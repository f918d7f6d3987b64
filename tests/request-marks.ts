import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isMainThread } from "node:worker_threads";
import { parseSync, Visitor } from "oxc-parser";

/**
 * Preloaded into a server that runs from source: inserts a mark at the start of each function of `src`, except
 * `src/core`. The files whose marks ran between a request's arrival and its response are written to the file
 * REQUEST_MARKS before the response is sent.
 */
const file = process.env.REQUEST_MARKS;
const root = join(import.meta.dir, "..");

/**
 * A mark contains a number and not a path, because Elysia infers what a handler needs from words such as `headers` in
 * its source.
 */
const marked: string[] = [];
/** `null` between requests. */
let ran: Set<string> | null = null;

// A thread's code counts only if the response waits for it, which verifications and purchases never do.
if (file && isMainThread) {
  Object.assign(globalThis, { __ran: (index: number) => ran?.add(marked[index] ?? "") });
  Bun.plugin({
    name: "request-marks",
    setup: (build) =>
      void build.onLoad({ filter: new RegExp(`^${RegExp.escape(`${root}/src/`)}(?!core/).*\\.tsx?$`) }, ({ path }) => ({
        contents: withMarks(path),
        loader: path.endsWith("x") ? "tsx" : "ts",
      })),
  });
  const serve = Bun.serve as (options: object) => { reload: (options: object) => void };
  Object.assign(Bun, {
    serve(options: object) {
      const server = serve(observed(options));
      const reload = server.reload.bind(server);
      return Object.assign(server, { reload: (next: object) => reload(observed(next)) });
    },
  });
}

function withMarks(path: string): string {
  const text = readFileSync(path, "utf8");
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const mark = `globalThis.__ran?.(${marked.push(relative(root, path)) - 1});`;
  const pieces: { at: number; text: string }[] = [];
  const inBlock = ({ body }: { body: { start: number } | null }) => {
    if (body) pieces.push({ at: body.start + 1, text: mark });
  };
  new Visitor({
    FunctionDeclaration: inBlock,
    FunctionExpression: inBlock,
    ArrowFunctionExpression({ expression, body }) {
      if (!expression) return inBlock({ body });
      pieces.push({ at: body.start, text: `{${mark}return ` }, { at: body.end, text: ";}" });
    },
  }).visit(program);
  let [result, from] = ["", 0];
  for (const piece of pieces.sort((a, b) => a.at - b.at)) {
    result += text.slice(from, piece.at) + piece.text;
    from = piece.at;
  }
  return result + text.slice(from);
}

/** Wraps every request handler in the server's options. */
function observed(value: object): object {
  const entries = Object.entries(value).map(([name, part]) => {
    if (typeof part === "function") return [name, name === "error" ? part : observedHandler(part)];
    const isOfRoutes = name === "routes" || name.startsWith("/");
    return [name, isOfRoutes && part?.constructor === Object ? observed(part) : part];
  });
  return Object.fromEntries(entries);
}

function observedHandler<Handler extends (...given: never[]) => unknown>(handler: Handler) {
  return function (this: unknown, ...given: Parameters<Handler>): unknown {
    ran = new Set();
    try {
      const response = handler.apply(this, given);
      return response instanceof Promise ? response.finally(written) : written(response);
    } catch (error) {
      written();
      throw error;
    }
  };
}

/** Ends the request. Code that runs later does not count. */
function written<Response>(response?: Response): Response | undefined {
  if (file && ran) writeFileSync(file, JSON.stringify([...ran]));
  ran = null;
  return response;
}
