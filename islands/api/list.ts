import { pathOf, readBody, type Sent, send } from "./api.ts";
import type { ListCall, ParamsOf, PartOf, QueryOf, ResponseOf, RestOf } from "./contract.ts";

/** One page of a list. */
export interface Rows<Row> {
  rows: Row[];
  nextCursor: string | null;
  /** How many rows match the filters, if the call had `count: "true"` or always counts. */
  matchCount?: number;
  /** How many rows there are without filters, if the call returns that. */
  totalCount?: number;
}

/** The page of the list that is requested. */
interface PageOfList {
  limit: number;
  cursor?: string;
}

/** A list that the server searches, sorts and pages (rules.md: Lists). */
export interface List<Row, Filters> {
  /** Its path, which is the start of the key of each cached query. */
  queryKey: [path: string];
  /** How many rows a page has, if not the usual number. */
  rowsPerPage?: number;
  getPage: (query: Filters & PageOfList, signal: AbortSignal) => Promise<Rows<Row>>;
}

type RowOf<Name extends ListCall> = ResponseOf<Name> extends (infer Row)[] ? Row : never;

export function listOf<Name extends ListCall>(
  name: Name,
  ...[sent]: RestOf<PartOf<"params", ParamsOf<Name>>>
): List<RowOf<Name>, QueryOf<Name>> {
  const { params }: Sent = sent ?? {};
  return {
    queryKey: [pathOf(name, params)],
    getPage: async (query, signal) => rowsIn(await send(name, { params, query, signal }), signal),
  };
}

/** For TanStack Query: only the first rows of a list. */
export function firstRowsOf<Row, Filters>(list: List<Row, Filters>, query: NoInfer<Filters> & { limit: number }) {
  return {
    queryKey: [...list.queryKey, query],
    queryFn: ({ signal }: { signal: AbortSignal }) => list.getPage(query, signal),
  };
}

/** The next cursor is in the `Link` header, and the count in `x-match-count` (rules.md: Lists). */
async function rowsIn<Row>(response: Response, signal: AbortSignal): Promise<Rows<Row>> {
  const matchCount = response.headers.get("x-match-count");
  return {
    rows: await readBody(response, signal),
    nextCursor: nextCursorIn(response.headers.get("link")),
    matchCount: matchCount === null ? undefined : Number(matchCount),
  };
}

function nextCursorIn(link: string | null): string | null {
  const address = link?.match(/<([^>]*)>\s*;[^,]*rel="?next"?/)?.[1];
  return address === undefined ? null : new URL(address, "http://localhost").searchParams.get("cursor");
}
