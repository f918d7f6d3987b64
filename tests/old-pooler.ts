import { connect, createServer } from "node:net";
import { freePort } from "./free-port.ts";

/** The type byte of a Parse message in PostgreSQL's protocol. */
const parse = "P".charCodeAt(0);

/**
 * Behaves like a pooler in transaction mode without support for prepared statements, such as PgBouncer before 1.21: the
 * second client gets the first one's server connection, on which all statement names are taken.
 */
export async function startOldPooler(serverPort: number): Promise<{ port: number; stop(): Promise<void> }> {
  let clients = 0;
  const server = createServer((here) => {
    clients += 1;
    const isFirst = clients === 1;
    const there = connect(serverPort, "127.0.0.1");
    there.pipe(here);
    here.on("data", (message) => {
      if (!isFirst && message[0] === parse) here.write(alreadyExists());
      else there.write(message);
    });
    for (const socket of [here, there]) {
      socket
        .on("error", () => {})
        .on("close", () => {
          here.destroy();
          there.destroy();
        });
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port, stop: () => new Promise((resolve) => void server.close(() => resolve())) };
}

function alreadyExists(): Buffer {
  return Buffer.concat([
    message("E", 'SERROR\0C42P05\0Mprepared statement "P1" already exists\0\0'),
    message("Z", "I"),
  ]);
}

function message(letter: string, content: string): Buffer {
  const head = Buffer.from(`${letter}0000`);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, Buffer.from(content)]);
}
