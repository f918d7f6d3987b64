import type { Schema } from "./schemas.ts";

/** The headers of responses, which the document names as it does schemas. */
export const responseHeaders = {
  "Retry-After": {
    description: "Seconds to wait before the next try, if known",
    schema: { type: "integer", minimum: 0, example: 2 },
  },
  Link: {
    description: 'The address of the next page, with `rel="next"` (RFC 8288), if there is one',
    schema: { type: "string", example: '</api/updates?limit=50&cursor=MTI>; rel="next"' },
  },
  ETag: {
    description: "Names this response, for `If-None-Match`",
    schema: { type: "string", example: '"rZ0v3pQx"' },
  },
  "X-Match-Count": {
    description: "With `count=true`, how many rows match the filters",
    schema: { type: "integer", minimum: 0, example: 57 },
  },
};

type HeaderName = keyof typeof responseHeaders;

export const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of an earlier response: if nothing has changed, the response is an empty 304",
  schema: { type: "string" },
};

export function headersNamed(...names: HeaderName[]): { headers?: Record<string, { $ref: string }> } {
  const entries = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return names.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

/** Which headers a success has follows from the parameters and the body. */
export function successHeaders(
  parameters: { name: string }[],
  { body, hasEtag }: { body: Schema | undefined; hasEtag: boolean },
): HeaderName[] {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  const hasCursorInBody = Object.hasOwn((body?.properties as object | undefined) ?? {}, "nextCursor");
  return [
    ...(takes("cursor") && !hasCursorInBody ? (["Link"] as const) : []),
    ...(takes("count") ? (["X-Match-Count"] as const) : []),
    ...(hasEtag ? (["ETag"] as const) : []),
  ];
}
