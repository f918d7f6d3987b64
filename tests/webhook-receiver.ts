/** What a receiver of webhooks got. */
export interface Received {
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body that it expects.
  body: any;
  headers: Headers;
  text: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** How it responds from now on. */
  respond: (got: Received) => Response | Promise<Response>;
  stop(): Promise<void>;
}

/** A server on this machine that records the events it is sent, and accepts them unless told otherwise. */
export function startReceiver(): Receiver {
  const receiver: Receiver = {
    url: "",
    received: [],
    respond: () => new Response("ok"),
    stop: () => server.stop(true),
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const text = await request.text();
      const { headers } = request;
      const got = { id: headers.get("webhook-id") ?? "", body: JSON.parse(text), headers, text };
      receiver.received.push(got);
      return receiver.respond(got);
    },
  });
  receiver.url = `http://127.0.0.1:${server.port}/hook`;
  return receiver;
}
