/** A WebSocket of the live channel. */
export interface LiveSocket {
  send(message: unknown): void;
  /** The next message in the order of arrival. */
  next(): Promise<unknown>;
  closed: Promise<{ code: number }>;
  close(): void;
}

/** Throws if the server refuses the connection. */
export async function connectLive(url: string, headers: Record<string, string> = {}): Promise<LiveSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers } as unknown as string[]);
  const messages: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    const next = waiting.shift();
    if (next) next(message);
    else messages.push(message);
  };
  const closed = new Promise<{ code: number }>((resolve) => {
    socket.onclose = ({ code }) => resolve({ code });
  });
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error("The socket was refused."));
  });
  return {
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    next: () =>
      messages.length > 0 ? Promise.resolve(messages.shift()) : new Promise((resolve) => waiting.push(resolve)),
    closed,
    close: () => socket.close(1000),
  };
}
