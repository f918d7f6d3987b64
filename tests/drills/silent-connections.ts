import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { createClient, signInAdmin } from "../client.ts";
import type { Drill } from "./harness/drill.ts";
import { supervise } from "./harness/supervisor.ts";

/** When a connection must still be open, and when it must be closed, in seconds after its last complete request. */
interface Bounds {
  openAt: number;
  closedBy: number;
}

/** Proxies keep their connections for 60 s. Bun's timer may take 2 s more, and a busy machine some more. */
const silence: Bounds = { openAt: 61, closedBy: 90 };
const unfinishedHeaders: Bounds = { openAt: 5, closedBy: 20 };
const slowBody: Bounds = { openAt: 15, closedBy: 45 };
const lateMs = 95_000;

export const drill: Drill<Record<never, never>> = {
  number: "R15",
  promise:
    "headers have 10 s and a body 30 s, and a silent connection stays for longer than proxies keep theirs, then it is closed, also after a long call",
  waitsMostly: true,
  sizes: { short: {}, long: {} },
  async run() {
    const server = await supervise();
    const { url } = server;
    const note = await noteOfSelection(url);
    const found = await Promise.all([
      closedAfter(url, "after a request", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", silence),
      closedAfter(url, "after a long call", note, silence),
      closedAfter(url, "with half its headers", "POST /api/verify HTTP/1.1\r\nHost: x\r\nX-Slow:", unfinishedHeaders),
      closedAfter(url, "with a slow body", `${verification(4_000)}{`, slowBody, " "),
    ]);
    await server.close();
    return `closed ${found.join(", ")}`;
  },
};

function verification(bytes: number): string {
  const head = "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  return `${head}Content-Length: ${bytes}\r\n\r\n`;
}

/**
 * Sends a text, and then `trickle` twice a second. Throws unless the server closes the connection within the bounds.
 */
async function closedAfter(url: string, what: string, text: string, { openAt, closedBy }: Bounds, trickle = "") {
  const socket = await open(url);
  const startedAt = performance.now();
  socket.resume().write(text);
  const trickling = trickle && setInterval(() => socket.write(trickle), 500);
  const closed = new Promise((resolve) => socket.on("close", resolve)).then(() => performance.now() - startedAt);
  const late = Bun.sleep(lateMs).then(() => lateMs);
  const seconds = Math.round((await Promise.race([closed, late])) / 1_000);
  if (trickling) clearInterval(trickling);
  socket.destroy();
  assert.ok(seconds >= openAt, `A connection ${what} was closed after ${seconds} s.`);
  assert.ok(seconds <= closedBy, `A connection ${what} was open for ${seconds} s.`);
  return `${what} after ${seconds} s`;
}

/** A request that may take long, so its connection may be silent until the response. */
async function noteOfSelection(url: string): Promise<string> {
  const admin = await signInAdmin(() => createClient(url));
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 1 };
  const { keys: made } = (await admin.post("/api/admin/keys/generate", order)).body;
  const selection = { ids: [made[0].id], note: "drill" };
  const { mark } = (await admin.post("/api/admin/keys/selected", selection)).body;
  const body = JSON.stringify({ ...selection, mark, count: 1 });
  return [
    "PUT /api/admin/keys/selected/note HTTP/1.1",
    "Host: x",
    `Cookie: ${admin.cookie()}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on("error", () => {});
  });
}
