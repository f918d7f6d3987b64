import { pathOf, readBody, type Sent, send } from "./api.ts";
import type { AnswerOf, Beside, JsonCall, PartsOf, ReadCall } from "./contract.ts";

/** Calls the server: `call("POST /api/admin/tokens/generate", { body: { credits: 5 } })`. A refusal is thrown, as an `ApiFailure`. */
export async function call<Name extends JsonCall>(
  name: Name,
  ...[sent]: Beside<PartsOf<Name> & Pick<Sent, "headers" | "signal">>
): Promise<AnswerOf<Name>> {
  return readBody(await send(name, sent), sent?.signal);
}

/** The same for TanStack Query, which keeps the answer under its path, and what was asked beside it. */
export function queryOf<Name extends ReadCall>(name: Name, ...[sent]: Beside<PartsOf<Name>>) {
  const { params, query }: Sent = sent ?? {};
  return {
    queryKey: [pathOf(name, params), ...(query ? [query] : [])],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AnswerOf<Name>> =>
      readBody(await send(name, { params, query, signal }), signal),
  };
}
