/**
 * Without a `limit` a list is whole, and is sent as it is read; with one it is a page. `headers` are those of every answer, which a
 * `Response` of its own would lose: they are taken once the list has begun.
 */
export function wholeOrPage<Page>(
  { limit }: { limit?: number },
  headers: Record<string, string | number | undefined>,
  { whole, page }: { whole: () => Promise<ReadableStream<Uint8Array>>; page: () => Promise<Page> },
): Promise<Response> | Promise<Page> {
  return limit === undefined ? sent(whole, headers) : page();
}

async function sent(
  whole: () => Promise<ReadableStream<Uint8Array>>,
  headers: Record<string, string | number | undefined>,
): Promise<Response> {
  const content = await whole();
  return new Response(content, {
    headers: { ...(headers as Record<string, string>), "content-type": "application/json;charset=utf-8" },
  });
}
