import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { writeCertificate } from "../certificate.ts";
import { createClient, registerReseller, signInAdmin } from "../client.ts";
import { temporaryFolder } from "../process.ts";
import { writeFromAnotherProcess } from "../write-from-another-process.ts";
import type { Drill } from "./harness/drill.ts";
import { supervise } from "./harness/supervisor.ts";

/** This machine and other addresses that only the operator should reach, as an attacker might write them. */
const internalHosts = [
  ...["127.0.0.1", "127.1", "127.0.0.1.", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001"],
  ...["①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "0", "0.0.0.0", "localhost", "LOCALHOST"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]"],
  ...["169.254.169.254", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255"],
];
const refusal = "The address is in a private network.";

/** 64 KB, and what a connection buffers. An endless response ends at four times this, if it is read that far. */
const sentBytesMax = 16 * 1024 * 1024;

/** The promised 10 s, and what a busy machine adds. */
const heldMsMax = 15_000;

export const drill: Drill<{ rebindings: number }> = {
  number: "R26",
  promise:
    "no webhook reaches an internal address, however it is written, whatever its name resolves to, and wherever a server redirects; no response holds the server for longer than 10 s, and at most 64 KB of one are read",
  waitsMostly: true,
  sizes: { short: { rebindings: 2 }, long: { rebindings: 20 } },
  async run({ rebindings }) {
    const internal = await openInternalServer();
    const found = await Promise.all([tryForms(internal), tryRebinding(internal, rebindings), tryResponses(internal)]);
    internal.close();
    return found.join(", ");
  },
};

type Internal = Awaited<ReturnType<typeof openInternalServer>>;

/** Stands for all that listens within the operator's network. */
async function openInternalServer() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    socket.end("HTTP/1.1 200 OK\r\n\r\nsecret");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    assertUnreached: () => assert.equal(connections, 0, "A webhook reached an internal server."),
    close: () => server.close(),
  };
}

async function tryForms({ port, assertUnreached }: Internal): Promise<string> {
  const { sendRefused, close } = await openSender();
  for (const host of internalHosts) {
    const { answer } = await sendRefused(`https://${host}:${port}/`);
    assertUnreached();
    assert.equal(answer, refusal, `${host} was not refused: ${answer}`);
  }
  await close();
  return `refused ${internalHosts.length} forms of internal addresses`;
}

/** Every second time, the name has an internal address. */
async function tryRebinding({ port, assertUnreached }: Internal, rebindings: number): Promise<string> {
  const { send, close } = await openSender({
    command: [process.execPath, join(import.meta.dir, "harness/rebinding-latchkey.ts")],
  });
  let refused = 0;
  for (let attempt = 0; attempt < 2 * rebindings; attempt += 1) {
    const { answer } = await send(`https://rebinding.test:${port}/`);
    assertUnreached();
    if (answer === refusal) refused += 1;
  }
  assert.equal(refused, rebindings, "The name was not rebound.");
  await close();
  return `${refused} times a name that was public before`;
}

/** With WEBHOOK_ALLOW_PRIVATE, so that the drill's own servers are reached. */
async function tryResponses(internal: Internal): Promise<string> {
  const folder = temporaryFolder();
  const trusted = serveHttps(folder, "first", internal);
  const untrusted = serveHttps(folder, "second", internal);
  const environment = { WEBHOOK_ALLOW_PRIVATE: "on", NODE_EXTRA_CA_CERTS: join(folder, "first.crt") };
  const { send, close } = await openSender({ environment });
  const at = (path: string) => send(`${trusted.address}/${path}`);

  assert.equal((await at("good")).status, 200);
  assert.equal((await send(`${untrusted.address}/good`)).answer, "The connection failed: DEPTH_ZERO_SELF_SIGNED_CERT.");
  assert.deepEqual(untrusted.asked, []);
  for (const status of [301, 302, 303, 307, 308]) {
    const tried = await at(`redirect/${status}`);
    internal.assertUnreached();
    assert.equal(tried.status, status, `A redirect was followed: ${tried.answer}`);
  }

  assert.equal((await at("endless")).status, 200);
  assert.ok(trusted.sentBytes() < sentBytesMax, `${trusted.sentBytes()} bytes of an endless response were taken.`);
  const silent = await at("silent");
  assert.equal(silent.answer, "No response within 10 seconds.");
  const slow = await at("slow");
  assert.equal(slow.status, 200);
  for (const { ms } of [silent, slow]) assert.ok(ms < heldMsMax, `A response held the server for ${ms} ms.`);

  await close();
  trusted.close();
  untrusted.close();
  rmSync(folder, { recursive: true });
  return `followed no redirect, left an endless response after ${Math.ceil(trusted.sentBytes() / 1024)} KiB, a silent server after ${silent.ms} ms and a slow one after ${slow.ms} ms`;
}

/**
 * A panel with one webhook. `send` sends a test to this address and returns its one attempt. `sendRefused` does so for
 * an address that can only have been saved while WEBHOOK_ALLOW_PRIVATE was on.
 */
async function openSender(options: Parameters<typeof supervise>[0] = {}) {
  const server = await supervise(options);
  const newClient = () => createClient(server.url);
  const owner = await registerReseller(newClient, await signInAdmin(newClient), { username: "sender" });
  const form = { kind: "standard", url: "https://example.com/", events: ["order.created"] };
  const path = `/api/reseller/webhooks/${(await owner.post("/api/reseller/webhooks", form)).body.id}`;

  async function send(url: string) {
    const changed = await owner.call("PUT", path, { url });
    assert.equal(changed.status, 200, `${url} was refused: ${changed.text}`);
    return sendTest();
  }

  async function sendRefused(url: string) {
    assert.equal((await owner.call("PUT", path, { url })).status, 422, `${url} was saved.`);
    const file = new Connection(server.file);
    await writeFromAnotherProcess(file, "UPDATE webhooks SET url = ?", [url]);
    file.close();
    return sendTest();
  }

  async function sendTest(): Promise<{ status: number | null; ms: number; answer: string }> {
    const { id } = (await owner.post(`${path}/test`)).body;
    for (;;) {
      const { body } = await owner.get(`${path}/deliveries?limit=1`);
      assert.equal(body[0].id, id);
      if (body[0].tries.length > 0) return body[0].tries[0];
      await Bun.sleep(50);
    }
  }
  return { send, sendRefused, close: server.close };
}

/** A server of someone who gets webhooks, for better or worse. */
function serveHttps(folder: string, certificate: Parameters<typeof writeCertificate>[1], { port }: Internal) {
  const { certificateFile, keyFile } = writeCertificate(folder, certificate);
  const asked: string[] = [];
  let sentBytes = 0;
  const megabyte = new Uint8Array(2 ** 20);
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 60 },
    tls: { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
    async fetch(request) {
      const [, path = "", status = ""] = new URL(request.url).pathname.split("/");
      asked.push(path);
      if (path === "redirect") {
        return new Response(null, { status: Number(status), headers: { location: `http://127.0.0.1:${port}/` } });
      }
      if (path === "silent") await Bun.sleep(2 * heldMsMax);
      return path === "endless" || path === "slow" ? new Response(body(path)) : new Response("good");
    },
  });

  function body(path: "endless" | "slow"): ReadableStream<Uint8Array> {
    return new ReadableStream({
      async pull(controller) {
        if (path === "slow") await Bun.sleep(500);
        else sentBytes += megabyte.length;
        controller.enqueue(path === "slow" ? new Uint8Array([120]) : megabyte);
        if (sentBytes > 4 * sentBytesMax) controller.close();
      },
    });
  }

  return {
    address: `https://localhost:${server.port}`,
    asked,
    sentBytes: () => sentBytes,
    close: () => void server.stop(true),
  };
}
