/**
 * The limit that every figure is a ratio to: Bun's own HTTP server, which parses the body of a POST and answers a fixed JSON of the same
 * size as Latchkey's. It knows no key, keeps nothing and refuses nothing.
 */
const verdict = JSON.stringify({
  valid: true,
  code: "VALID",
  message: "The key is valid on this device.",
  expiry: "2090-01-01T00:00:00.000Z",
  deviceLimit: 100,
  currentDevices: 2,
});
const headers = { "content-type": "application/json" };

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "POST") await request.json();
    return new Response(verdict, { headers });
  },
});
console.log(`ready at http://localhost:${server.port}`);
