import type { AnswerOf, BodyOf, Call } from "./contract.ts";

/** What a test's server was sent. */
export interface Received<Body = unknown> {
  /** Method and address: `GET /api/admin/tokens?status=used`. */
  call: string;
  /** What stood in the path, `:id` under `id`. */
  params: Record<string, string>;
  query: URLSearchParams;
  body: Body;
  headers: Headers;
  credentials: RequestCredentials | undefined;
}

/** By the names of the calls. What is answered goes out as JSON; a refusal is a `Response`, and so is an answer with headers. */
export type Answers = {
  [Name in Call]?: (received: Received<BodyOf<Name>>) => AnswerTo<Name> | Promise<AnswerTo<Name>>;
};
type AnswerTo<Name extends Call> = AnswerOf<Name> | Response;

export type FetchStub = ReturnType<typeof stubFetch>;

/** The server of an island's test. It keeps what it is sent; to a call that it has no answer to, there is no server. */
export function stubFetch(answers: Answers = {}) {
  const received: Received[] = [];
  globalThis.fetch = (async (address: string, { method, headers, body, credentials }: RequestInit) => {
    const url = new URL(address, "http://localhost");
    const { name, params } = named(`${method} ${url.pathname}`, answers);
    const sent = {
      call: `${method} ${address}`,
      params,
      query: url.searchParams,
      body: body == null ? undefined : JSON.parse(String(body)),
      headers: new Headers(headers),
      credentials,
    };
    received.push(sent);
    const answer = name && (await answers[name]?.(sent));
    if (answer === undefined) throw new TypeError("fetch failed");
    return answer instanceof Response ? answer : Response.json(answer);
  }) as typeof fetch;
  return {
    /** Another may be put in at any time. */
    answers,
    received,
    /** The calls that begin like this, in their order. */
    calls: (start = "") => received.map(({ call }) => call).filter((call) => call.startsWith(start)),
  };
}

const realFetch = globalThis.fetch;

export function restoreFetch(): void {
  globalThis.fetch = realFetch;
}

function named(call: string, answers: Answers): { name?: Call; params: Record<string, string> } {
  for (const name of Object.keys(answers) as Call[]) {
    const found = new RegExp(`^${name.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`).exec(call);
    if (found) return { name, params: { ...found.groups } };
  }
  return { params: {} };
}
