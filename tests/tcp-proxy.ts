import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

export interface TcpProxy {
  port: number;
  /** Drops all data without closing connections, as if a cable were cut. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

/** Forwards connections to these ports in turn, and delays all data. */
export async function startTcpProxy(ports: number[], { delayMs = 0 } = {}): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let turn = 0;
  let isCut = false;
  const join = ([here, there]: [Socket, Socket]) => {
    pass(here, there);
    pass(there, here);
  };
  const pass = (from: Socket, to: Socket) => {
    if (delayMs === 0) from.pipe(to);
    else from.on("data", (bytes) => setTimeout(() => to.write(bytes), delayMs)).resume();
  };
  const part = ([here, there]: [Socket, Socket]) => {
    for (const socket of [here, there]) socket.unpipe().removeAllListeners("data").pause();
  };
  const server = createServer((here) => {
    const there = connect(ports[turn % ports.length] as number, "127.0.0.1");
    turn += 1;
    const pair: [Socket, Socket] = [here, there];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      here.destroy();
      there.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    if (isCut) part(pair);
    else join(pair);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port,
    cut() {
      isCut = true;
      for (const pair of pairs) part(pair);
    },
    mend() {
      isCut = false;
      for (const pair of pairs) join(pair);
    },
    async stop() {
      for (const [here] of pairs) here.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
