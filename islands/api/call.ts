import { pathOf, readBody, type Sent, send } from "./api.ts";
import type { JsonCall, PartsOf, ReadCall, ResponseOf, RestOf } from "./contract.ts";

/**
 * Calls the server: `call("POST /api/admin/tokens/generate", { body: { credits: 5 } })`. A refusal is thrown, as an
 * `ApiFailure`.
 */
export async function call<Name extends JsonCall>(
  name: Name,
  ...[sent]: RestOf<PartsOf<Name> & Pick<Sent, "headers" | "signal">>
): Promise<ResponseOf<Name>> {
  return readBody(await send(name, sent), sent?.signal);
}

/** The same for TanStack Query, which caches the response under the path and the query string. */
export function queryOf<Name extends ReadCall>(name: Name, ...[sent]: RestOf<PartsOf<Name>>) {
  const { params, query }: Sent = sent ?? {};
  return {
    queryKey: [pathOf(name, params), ...(query ? [query] : [])],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ResponseOf<Name>> =>
      readBody(await send(name, { params, query, signal }), signal),
  };
}
