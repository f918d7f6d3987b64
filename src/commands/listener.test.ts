import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:tls";
import { type LogRecord, resetSync } from "@logtape/logtape";
import { writeCertificate } from "../../tests/certificate.ts";
import { keepLog } from "../../tests/log-records.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { temporaryFolder } from "../../tests/process.ts";
import { listen } from "./listener.ts";

const here = { port: 0, host: "127.0.0.1", tls: null };

let folder: string;
let panel: Panel;
let logged: LogRecord[];
beforeEach(async () => {
  folder = temporaryFolder();
  panel = await openPanel();
  logged = keepLog();
});
afterEach(async () => {
  resetSync();
  await panel.app.server?.stop(true);
  await panel.close();
  rmSync(folder, { recursive: true, force: true });
});

const port = () => panel.app.server?.port ?? 0;
const any = { tls: { rejectUnauthorized: false } };

/** The name on the certificate that a new connection gets. */
function nameShown(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: port(), host: "127.0.0.1", rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN as string);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(20);
}

test("with a certificate the server uses https and a secure cookie", async () => {
  const files = writeCertificate(folder, "first");
  const stopLooking = listen(panel.app, { ...here, tls: files });
  const response = await fetch(`https://127.0.0.1:${port()}/api/auth/admin/login`, {
    ...any,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin", password: "test-admin-password" }),
  });
  stopLooking();
  expect(response.status).toBe(200);
  expect(response.headers.get("set-cookie")).toMatch(/^__Host-session=.*; Secure/);
});

test.each(["localhost", "a"])("Elysia's routes work over https with any host (%s)", async (host) => {
  const stopLooking = listen(panel.app, { ...here, tls: writeCertificate(folder, "first") });
  const ask = (path: string) => fetch(`https://127.0.0.1:${port()}${path}`, { ...any, headers: { host } });
  // The whole list of updates bypasses Elysia, but a page of it does not.
  const page = await ask("/api/updates?limit=1");
  const nothing = await ask("/x/api/updates");
  stopLooking();
  expect([page.status, await page.json()]).toEqual([200, []]);
  expect(nothing.status).toBe(404);
});

test("a renewed certificate is used without a restart once its key matches", async () => {
  const files = writeCertificate(folder, "first");
  const stopLooking = listen(panel.app, { ...here, tls: files }, { pollMs: 20 });
  const renewed = writeCertificate(folder, "second");
  expect(await nameShown()).toBe("first");

  // The key is replaced first, so for a moment the two do not match.
  writeFileSync(files.keyFile, readFileSync(renewed.keyFile));
  await until(() => logged.some(({ properties }) => String(properties.reason).includes("do not match")));
  expect(await nameShown()).toBe("first");
  writeFileSync(files.certificateFile, readFileSync(renewed.certificateFile));
  await until(async () => (await nameShown().catch(() => "")) === "second");
  expect((await fetch(`https://127.0.0.1:${port()}/healthz`, any)).status).toBe(200);
  stopLooking();
});

test("invalid or mismatched certificate files prevent the start with a sentence and exit code 2", () => {
  const first = writeCertificate(folder, "first");
  const second = writeCertificate(folder, "second");
  const refused = (tls: typeof first, sentence: string) =>
    expect(() => listen(panel.app, { ...here, tls })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(sentence), exitCode: 2 }),
    );
  refused({ ...first, keyFile: second.keyFile }, "they do not match");
  refused({ ...first, certificateFile: first.keyFile }, "TLS_CERT and TLS_KEY cannot be used");
  refused({ ...first, keyFile: `${folder}/none` }, "TLS_KEY cannot be read");
});
