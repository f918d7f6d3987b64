import assert from "node:assert/strict";
import { createClient } from "../client.ts";
import { connectLive } from "../live-socket.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

/** The content types that a page of another site can make a browser send. */
const types = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain",
];
const origins: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { "sec-fetch-site": "same-site", origin: "https://sister.example" },
  { origin: "https://evil.example" },
  { origin: "null" },
];

/** Any site may verify a key, free a device of one, and send a sale, which is signed. */
const isPublic = (path: string) => ["/api/verify", "/api/verify/release", "/api/shop/{ref}"].includes(path);

export const drill: Drill<{ times: number }> = {
  number: "R10",
  promise: "no unsafe call and no socket is accepted from another site, whatever the content type",
  onPostgres: true,
  sizes: { short: { times: 1 }, long: { times: 20 } },
  async run({ times }) {
    const server = await supervise();
    const { admin, resellers } = await openShop(server.url, 1);
    const callers = [createClient(server.url), admin, ...resellers];
    const { paths } = (await admin.get("/swagger/json")).body as { paths: Record<string, object> };
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "get" && method !== "options" && !isPublic(path))
        .map(
          (method) =>
            [method.toUpperCase(), path.replaceAll(/\{role\}/g, "admin").replaceAll(/\{\w+\}/g, "1")] as const,
        ),
    );
    let sent = 0;
    for (let time = 0; time < times; time += 1) {
      for (const [method, path] of calls) {
        for (const origin of origins) {
          for (const type of types) {
            for (const caller of callers) {
              const response = await caller.call(method, path, "{}", { ...origin, "content-type": type });
              const what = `${method} ${path} of ${type} from ${JSON.stringify(origin)}`;
              assert.deepEqual(
                [response.status, response.body?.code],
                [403, "CROSS_SITE"],
                `${what}: ${response.status}`,
              );
              sent += 1;
            }
          }
        }
      }
      for (const caller of callers) {
        for (const origin of origins) {
          const opened = await connectLive(server.url, { cookie: caller.cookie(), ...origin }).catch(() => null);
          assert.equal(opened, null, `A socket from ${JSON.stringify(origin)} was opened.`);
        }
      }
    }
    await server.close();
    return `${calls.length} unsafe calls, ${sent.toLocaleString("en-US")} requests from other sites, ${times * callers.length * origins.length} sockets: none accepted`;
  },
};
