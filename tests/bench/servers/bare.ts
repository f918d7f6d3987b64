/** The baseline: a Bun.serve that parses the body and returns a fixed JSON of the same size as a verdict. */
const verdict = JSON.stringify({
  valid: true,
  code: "VALID",
  message: "The key is valid on this device.",
  expiry: "2090-01-01T00:00:00.000Z",
  deviceLimit: 100,
  currentDevices: 2,
});
const headers = { "content-type": "application/json" };

Bun.serve({
  port: process.env.PORT,
  hostname: "127.0.0.1",
  async fetch(request) {
    if (request.method === "POST") await request.json();
    return new Response(verdict, { headers });
  },
});
