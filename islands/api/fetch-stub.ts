import type { BodyOf, Call, ResponseOf } from "./contract.ts";

/** A request that a test's server received. */
export interface Received<Body = unknown> {
  /** Method and address: `GET /api/admin/tokens?status=used`. */
  call: string;
  /** The parameters in the path, `:id` under `id`. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: Body;
  headers: Headers;
  credentials: RequestCredentials | undefined;
}

/**
 * By the names of the calls. A returned value is sent as JSON; a refusal is a `Response`, and so is a response with
 * headers.
 */
export type Responses = {
  [Name in Call]?: (received: Received<BodyOf<Name>>) => ResponseTo<Name> | Promise<ResponseTo<Name>>;
};
type ResponseTo<Name extends Call> = ResponseOf<Name> | Response;

export type FetchStub = ReturnType<typeof stubFetch>;

/** The server of an island's test. It records requests; a call without a response fails like a lost network. */
export function stubFetch(responses: Responses = {}) {
  const received: Received[] = [];
  globalThis.fetch = (async (address: string, { method, headers, body, credentials }: RequestInit) => {
    const url = new URL(address, "http://localhost");
    const { name, params } = named(`${method} ${url.pathname}`, responses);
    const sent = {
      call: `${method} ${address}`,
      params,
      query: url.searchParams,
      // A file is sent as it is. Bodies of all calls together fit no type.
      body: (body == null || body instanceof Blob ? body : JSON.parse(String(body))) as never,
      headers: new Headers(headers),
      credentials,
    };
    received.push(sent);
    const response = name && (await responses[name]?.(sent));
    if (response === undefined) throw new TypeError("fetch failed");
    return response instanceof Response ? response : Response.json(response);
  }) as typeof fetch;
  return {
    /** A test may replace one at any time. */
    responses,
    received,
    /** The calls that start with this text, in their order. */
    calls: (start = "") => received.map(({ call }) => call).filter((call) => call.startsWith(start)),
  };
}

const realFetch = globalThis.fetch;

export function restoreFetch(): void {
  globalThis.fetch = realFetch;
}

function named(call: string, responses: Responses): { name?: Call; params: Record<string, string> } {
  for (const name of Object.keys(responses) as Call[]) {
    const found = new RegExp(`^${name.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(call);
    if (found) return { name, params: { ...found.groups } };
  }
  return { params: {} };
}
