/** An answer that a browser saves under this name. `headers` are those of every answer, which a `Response` of its own would lose. */
export function attachment(
  content: ReadableStream<Uint8Array>,
  { filename, type, headers }: { filename: string; type: string; headers: Record<string, string | number | undefined> },
): Response {
  return new Response(content, {
    headers: {
      ...(headers as Record<string, string>),
      "content-type": type,
      "content-disposition": `attachment; filename="${filename}"`,
    },
  });
}
