import type { AnyElysia } from "elysia";
import { Refusal } from "../core/refusal.ts";

interface Unmatched {
  request: Request;
  set: { headers: Record<string, string | number | undefined> };
}

/**
 * Elysia answers 404 to every method that a path does not have. This tells the two apart: a path that exists for other
 * methods is a 405 that names them. Answers what to refuse with. The routes of `app` are read at the first such request, when it has all
 * of them.
 */
export function createUnmatched(app: Pick<AnyElysia, "routes">): (call: Unmatched) => Refusal {
  let known: { method: string; path: RegExp }[] | null = null;

  return ({ request, set }) => {
    known ??= app.routes.map(({ method, path }) => ({ method, path: patternOf(path) }));
    const pathname = URL.parse(request.url)?.pathname ?? "/";
    const methods = known.filter(({ path }) => path.test(pathname)).map(({ method }) => method);
    const allowed = [...new Set(methods)].filter((method) => method !== "WS");
    if (allowed.length === 0) return new Refusal("NOT_FOUND", "There is nothing at this address.");
    // What answers to GET answers to HEAD.
    set.headers.allow = allowed.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
    return new Refusal("METHOD_NOT_ALLOWED", `This address answers to ${allowed.join(", ")} only.`);
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    if (part.startsWith(":")) return "[^/]+";
    return part === "*" ? ".*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("/")}$`);
}
