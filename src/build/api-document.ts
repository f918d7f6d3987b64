import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./executable.ts";

/** The API document, which a server of this source serves. Needs the browser's scripts, as every server does. */
export async function readApiDocument(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-document-"));
  const server = Bun.spawn([process.execPath, join(root, "src/main.ts"), "serve"], {
    cwd: folder,
    env: { DATA_DIR: folder, HOST: "127.0.0.1", PORT: "0" },
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    return await (await fetch(`http://127.0.0.1:${await portIn(server.stdout)}/swagger/json`)).text();
  } finally {
    server.kill();
    await server.exited;
    rmSync(folder, { recursive: true });
  }
}

/** Waits until the server says that it is ready, and where. */
async function portIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true });
    const [, port] = text.match(/ready at http:\/\/localhost:(\d+)/) ?? [];
    if (port) return port;
  }
  throw new Error(`The server did not start:\n${text}`);
}
