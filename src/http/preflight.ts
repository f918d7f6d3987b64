/**
 * The answer to a browser that asks, before it calls us from another site, whether it may. Public calls may be made
 * from anywhere, but never with cookies: that would take `access-control-allow-credentials`, which is nowhere sent.
 */
export function allowFromAnywhere(...methods: string[]): () => Response {
  return () =>
    new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": "content-type, if-none-match",
        "access-control-max-age": "86400",
      },
    });
}
