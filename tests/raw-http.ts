import { connect } from "node:net";

/** Sends raw bytes on a new connection and returns everything received until it is closed. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, "latin1")));
    socket.setTimeout(10_000, () => socket.destroy(new Error(`The response did not end within 10 s: ${bytes}`)));
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(pieces).toString("latin1")));
  });
}
