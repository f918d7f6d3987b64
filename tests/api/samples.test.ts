import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { type Call, exampleRequest, placeholder } from "../../src/reference/call.ts";
import { previewCall } from "../../src/reference/preview-call.ts";
import { updatesCall } from "../../src/reference/updates-call.ts";
import { verifyCall } from "../../src/reference/verify-call.ts";
import { createClient, signInAdmin } from "../client.ts";
import { curlFolder } from "../curl-folder.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

const folder = curlFolder();

let latchkey: Latchkey;

beforeAll(async () => {
  latchkey = await startLatchkey();
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const { key: keyString, game } = exampleRequest;
  const order = { game, deviceLimit: 2, expiryDate, keyString, count: 1 };
  expect((await admin.post("/api/admin/keys/generate", order)).status).toBe(201);
  await admin.post("/api/admin/online-updates", { title: "News", message: "Hello" });
});

afterAll(async () => {
  await latchkey.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function sentByCurl({ samples }: Call, url = latchkey.url): Promise<unknown> {
  const shell = Bun.spawn(["sh", "-eu", "-c", samples.curl.replaceAll(placeholder, url)], {
    env: { PATH: `${process.env.PATH}:${folder}` },
    stderr: "ignore",
  });
  return JSON.parse(await new Response(shell.stdout).text());
}

test("each curl sample works unchanged, and only POST connects a device", async () => {
  const free = { valid: true, code: "VALID", deviceLimit: 2 };
  expect(await sentByCurl(previewCall)).toMatchObject({ ...free, currentDevices: 0, canRegister: true });
  expect(await sentByCurl(verifyCall)).toMatchObject({ ...free, currentDevices: 1 });
  expect(await sentByCurl(previewCall)).toMatchObject({ ...free, currentDevices: 1, canRegister: false });
  expect(await sentByCurl(updatesCall)).toMatchObject([{ title: "News", message: "Hello", isActive: true }]);
});

test("each curl sample tries again after a 503, when Retry-After says so", async () => {
  for (const call of [previewCall, verifyCall, updatesCall]) {
    let refusals = 0;
    using proxy = Bun.serve({
      port: 0,
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        if (refusals > 0)
          return fetch(latchkey.url + pathname, {
            method: request.method,
            headers: request.headers,
            body: request.body,
          });
        refusals += 1;
        return new Response(null, { status: 503, headers: { "retry-after": "1" } });
      },
    });
    expect([refusals, await sentByCurl(call, proxy.url.origin)]).toEqual([0, expect.anything()]);
    expect(refusals).toBe(1);
  }
});
