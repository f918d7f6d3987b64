import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { openS3Server, type S3 } from "../../tests/s3.ts";
import { backupName } from "./place.ts";
import { openS3 } from "./s3-place.ts";

let folder: string;
let s3: S3;
beforeEach(() => {
  folder = temporaryFolder();
  s3 = openS3Server();
});
afterEach(() => {
  s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const name = backupName(0);

function fileToSend(bytes: number): string {
  const file = join(folder, "backup");
  writeFileSync(file, Buffer.alloc(bytes, "backup"));
  return file;
}

const works = {
  send: () => openS3(s3.settings).send(fileToSend(3_000_000), name, { sha256: "any", onReadBack: () => {} }),
  read: () => Array.fromAsync(openS3(s3.settings).read(name)),
  remove: () => openS3(s3.settings).remove(name),
  list: () => openS3(s3.settings).list(),
};

describe("a redirect is refused, and nothing reaches the other server:", () => {
  test.each(Object.keys(works) as (keyof typeof works)[])("%s", async (work) => {
    const reached: string[] = [];
    const elsewhere = Bun.serve({
      port: 0,
      fetch(request) {
        reached.push(request.method);
        return new Response();
      },
    });
    for (const status of [301, 302, 303, 307, 308]) {
      s3.redirect = { to: elsewhere.url.origin, status };
      await expect(works[work]()).rejects.toMatchObject({
        name: "OperatorError",
        message: "BACKUP_S3 redirects to another address. If you trust that address, set BACKUP_S3 to it.",
      });
    }
    await elsewhere.stop(true);
    expect(reached).toEqual([]);
    // Nor is the request tried again.
    expect(s3.requests).toHaveLength(5);
  });
});

describe("the message of an error of S3 is one short line without control characters:", () => {
  test.each(Object.keys(works) as (keyof typeof works)[])("%s", async (work) => {
    s3.errorMessage = `\u001b[2J\u001b]0;owned\u0007line\r\nbreak\u202e${"x".repeat(10_000)}`;
    s3.settings = { ...s3.settings, secretAccessKey: "guessed" };
    const error: Error = await works[work]().then(
      () => new Error("none"),
      (thrown) => thrown,
    );
    expect(error.message).toStartWith("BACKUP_S3 failed: ");
    expect(error.message).toContain("[2J ]0;owned line breakxxx");
    expect(error.message).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(error.message.length).toBeLessThan(300);
  });
});

/** Sends a backup without waits between tries. */
async function send(silence: { silentMs?: number; silentWhileSendingMs?: number } = {}): Promise<Error | null> {
  const file = fileToSend(3_000_000);
  const sha256 = new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");
  const sending = openS3(s3.settings, { waitsMs: [0, 0, 0], ...silence }).send(file, name, {
    sha256,
    onReadBack: () => {},
  });
  return sending.then(
    () => null,
    (error) => error,
  );
}

test("a copy that the read-back finds damaged is removed", async () => {
  s3.fault = { method: "PUT", times: 4, kind: "damage" };
  expect((await send())?.message).toBe("BACKUP_S3 failed: The copy read back from S3 differs from the one sent.");
  expect(s3.objects.size).toBe(0);
  s3.fault = { method: "PUT", times: 4, kind: "damage" };
  s3.locked.add(`latchkey/${name}`);
  expect((await send())?.message).toEndWith(" differs from the one sent, and cannot be removed.");
  expect(await send()).toBeNull();
  expect(s3.objects.size).toBe(1);
});

describe("is not tried again:", () => {
  test.each(["PUT", "GET"])("a %s that the server refuses for good", async (method) => {
    s3.fault = { method, times: 4, kind: "refuse" };
    expect((await send())?.message).toBe("BACKUP_S3 failed: QuotaExceeded, Refused.");
    expect(s3.fault.times).toBe(3);
  });

  test.each([
    ["PUT", { silentWhileSendingMs: 50 }],
    ["GET", { silentMs: 50 }],
  ])("a %s to which the server does not respond", async (method, silence) => {
    s3.fault = { method, times: 4, kind: "be silent" };
    expect((await send(silence))?.message).toBe("BACKUP_S3 failed: no response within 0.05 s.");
    expect(s3.fault.times).toBe(3);
  });
});

test("a backup that is stored but not listed does not count", async () => {
  s3.isUnlisted = true;
  const file = fileToSend(1_000);
  const sha256 = new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");
  const sending = openS3(s3.settings).send(file, name, { sha256, onReadBack: () => {} });
  await expect(sending).rejects.toThrow("it was stored, but the bucket does not list it");
});

test("the message about a server that does not respond contains no signature", async () => {
  s3.close();
  const error: Error = await works.read().catch((thrown) => thrown);
  expect(error.message).toStartWith("BACKUP_S3 failed: ");
  expect(error.message).not.toMatch(/signature|http/i);
});
