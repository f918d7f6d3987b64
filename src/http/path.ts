import type { BunRequest } from "bun";

/** No address of ours has more. */
const segmentsMax = 10;

/** The first parameter of the routes below, which no other route has. */
const firstSegment = "segment1";

/**
 * Bun resolves dot segments in `request.url` and turns `\` into `/`, which proxies do not do: a proxy may have decided
 * by another path than the one that is routed. Only Bun's router sees the path as it came, and shows it as the
 * parameters of a route. These routes match what no other route does: unknown paths, and those that are not what they
 * resolve to.
 */
export function routesForEveryPath(handle: (request: Request) => Response | Promise<Response>) {
  const names = Array.from({ length: segmentsMax }, (_, index) => `:segment${index + 1}`);
  const paths = names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`);
  const handleOneSlash = (request: Request) => handle(withOneSlash(request));
  return Object.fromEntries(paths.flatMap((path) => [[path, handle] as const, [`/${path}`, handleOneSlash] as const]));
}

/**
 * Programs append `/api/…` to an address that ends in a slash (rules.md: Paths). Another request would not have Bun's
 * connection, so this one gets another address.
 */
function withOneSlash(request: Request): Request {
  if (paramsOf(request)?.[firstSegment] !== "api") return request;
  const url = request.url.replace(/^(https?:\/\/[^/]*)\/\//, "$1/");
  return Object.defineProperty(request, "url", { value: url });
}

/** Whether Bun's router found a route. It finds none for an empty segment and for too many. */
export function hasRawPath(request: Request): boolean {
  return paramsOf(request) !== undefined;
}

/**
 * Whether a segment is `.` or `..` or has a slash or backslash in it, encoded or not (rules.md: Paths). In the GET form
 * of verification, which alone has a parameter `key`, encoded ones are data.
 */
export function isUnclear(request: Request): boolean {
  const params = paramsOf(request) ?? {};
  const segments = Object.values(params);
  if (segments.some((segment) => segment === "." || segment === "..")) return true;
  const text = segments.join("");
  if (params.key === undefined) return /[/\\]/.test(text);
  return text.includes("\\") && text.split("\\").length > request.url.split(/%5c/i).length;
}

/** The path by which the form of a failure is chosen. `route` is the pattern of the route, if there is one. */
export function pathOfFailure(request: Request, route: string | undefined): string {
  const params = paramsOf(request);
  if (params?.[firstSegment] !== undefined) return `/${Object.values(params).join("/")}`.replaceAll("\\", "/");
  return route || (URL.parse(request.url)?.pathname ?? "");
}

/** The decoded parameters of the route that Bun's router found. */
function paramsOf(request: Request): Record<string, string> | undefined {
  return (request as Partial<BunRequest>).params;
}
