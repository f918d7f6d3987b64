import assert from "node:assert/strict";
import { connect } from "node:net";
import fc from "fast-check";

/** A broken request may never get a response; then the connection is closed. */
const silenceMsMax = 400;
const atOnce = 16;

/** Broken HTTP that no client library would send, byte for byte. */
const corpus = [
  "hello\r\n\r\n",
  "\r\n\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET /healthz HTTP/1.1\r\n\r\n",
  "GET /api/admin/stats HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "GET /api/updates HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
  "GET /api/updates HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n",
  "GET /api/verify/%zz/%/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /\u0000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET http://evil.example/api/admin/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET //api/updates HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
  "TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(200_000)}\r\n\r\n`,
  `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${"X: y\r\n".repeat(5_000)}\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${"session=a; ".repeat(1_000)}\r\nConnection: close\r\n\r\n`,
  "GET / HTTP/1.1\r\nHost : x\r\nConnection: close\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\nConnection: close\r\n\r\n",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
  "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
  "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 99\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
];

/** Valid requests, whose bytes are then removed, repeated or replaced. */
const whole = [
  'POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 56\r\nConnection: close\r\n\r\n{"key":"FUZZED-1","deviceId":"phone","game":"FREE FIRE"}',
  'GET /api/updates?limit=1 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nIf-None-Match: "x"\r\nConnection: close\r\n\r\n',
  "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
];

const otherBytes = fc.constantFrom(
  "",
  "\r",
  "\n",
  "\r\n",
  "\u0000",
  " ",
  ":",
  "\u00ff",
  "%",
  "{",
  "\t",
  "9".repeat(30),
);
const broken = fc
  .record({
    request: fc.constantFrom(...whole),
    cuts: fc.array(fc.record({ at: fc.nat({ max: 200 }), length: fc.nat({ max: 3 }), bytes: otherBytes }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ request, cuts }) =>
    cuts.reduce((text, { at, length, bytes }) => text.slice(0, at) + bytes + text.slice(at + length), request),
  );

/** Sends the corpus and `count` randomly broken requests. Throws if one gets a server error. */
export async function sendBrokenHttp(url: string, count: number, seed: number): Promise<number> {
  const waiting = [...corpus, ...fc.sample(broken, { numRuns: count, seed })];
  const sendNext = async (): Promise<void> => {
    for (let bytes = waiting.pop(); bytes !== undefined; bytes = waiting.pop()) {
      const response = await responseTo(url, bytes);
      // The runtime responds with 505 to a request line that it cannot parse.
      const isFailure = /^HTTP\/1\.1 50[0-4]/.test(response);
      assert.ok(!isFailure, `Broken HTTP got ${response.slice(0, 60)}: printf ${JSON.stringify(bytes)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  return corpus.length + count;
}

function responseTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, "latin1")));
    socket.setTimeout(silenceMsMax, () => socket.destroy());
    socket.on("data", (piece) => {
      text += piece.toString("latin1");
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(text));
  });
}
