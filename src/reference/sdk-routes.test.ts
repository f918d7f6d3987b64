import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openPanel } from "../../tests/panel.ts";
import { sdkFiles, vectorsName } from "./sdk-files.ts";

const folder = join(import.meta.dir, "../../public/sdk");

test("each SDK has one version, a start with the whole game loop, and says which library it needs", () => {
  const sdks = sdkFiles();
  expect([...sdks.map(({ name }) => name), vectorsName].sort()).toEqual(readdirSync(folder).sort());
  expect([...new Set(sdks.map(({ version }) => version))]).toEqual(["1.0.0"]);
  for (const { name, title, start, notes } of sdks) {
    expect([name, title.length > 10 && title !== name]).toEqual([name, true]);
    expect([name, start.split("\n").length <= 24]).toEqual([name, true]);
    for (const part of ["/.well-known/latchkey-keys", "At the start, and every minute while playing", "NOT_ASKED"]) {
      expect([name, start]).toEqual([name, expect.stringContaining(part)]);
    }
    for (const part of [/\bopen\(/i, /\bcheck\(/i, /DEVICE_LIMIT_REACHED.*\brelease\(/i, /stop\(.*UPDATE_REQUIRED/i]) {
      expect([name, start]).toEqual([name, expect.stringMatching(part)]);
    }
    expect([name, notes[0]]).toEqual([name, expect.stringMatching(/needs|WebCrypto|CryptoKit/)]);
  }
  const unrun = sdks.filter(({ notes }) => notes.some((note) => note.includes("has never been run")));
  expect(unrun.map(({ name }) => name)).toEqual(["Latchkey.swift", "latchkey.dart"]);
});

/** Of what each SDK makes a device id, besides a random id that it stores. */
const sources: Record<string, string[]> = {
  "latchkey.ts": [],
  "Latchkey.java": ["ANDROID_ID", "MachineGuid"],
  "Latchkey.cs": ["ANDROID_ID", "MachineGuid"],
  "Latchkey.swift": ["Keychain"],
  "latchkey.dart": ["ANDROID_ID"],
  "latchkey.hpp": ["ANDROID_ID", "MachineGuid"],
  "latchkey.py": ["MachineGuid"],
  "latchkey.lua": ["MachineGuid"],
};

/** How a start passes ANDROID_ID, which no file reads. */
const passed: Record<string, RegExp> = {
  "Latchkey.java": /Settings\.Secure\.ANDROID_ID\);\n.*deviceId = Latchkey\.deviceId\(options\.game, androidId\)/,
  "Latchkey.cs": /DeviceId = isAndroid \? .*MakeDeviceId\(game, SystemInfo\.deviceUniqueIdentifier\) : null/,
  "latchkey.dart": /const AndroidId\(\)\.getId\(\) : null; \/\/ of the package android_id\n.*deviceId: androidId/s,
  "latchkey.hpp": /#ifdef __ANDROID__\n.*ANDROID_ID.*\n.*deviceId = latchkey::makeDeviceId\(options\.game, androidId\)/,
};

test("each SDK says what it makes a device id of, and makes it of that", () => {
  for (const { name, start, notes } of sdkFiles()) {
    const made = notes.find((note) => note.startsWith("The device id is made of ")) ?? "";
    expect([name, made]).toEqual([name, expect.stringMatching(/A game that is out keeps its ids: `open`/i)]);
    const text = readFileSync(join(folder, name), "utf8");
    const known = {
      ANDROID_ID: passed[name]?.test(start) ?? false,
      MachineGuid: /SOFTWARE\\+Microsoft\\+Cryptography/.test(text),
      Keychain: text.includes("SecItemCopyMatching"),
    };
    for (const [source, isKnown] of Object.entries(known)) {
      const isListed = sources[name]?.includes(source);
      const isSaid = made.split(". ")[0]?.includes(source);
      expect([name, source, isKnown, isSaid]).toEqual([name, source, isListed, isListed]);
    }
  }
});

test("the start for Unity says that WebGL needs another file", () => {
  const unity = sdkFiles().find(({ name }) => name === "Latchkey.cs");
  expect(unity?.notes.join()).toMatch(/Unity WebGL .* needs latchkey\.ts/);
});

test("each SDK and the vectors are served as text, with their checksums", async () => {
  const panel = await openPanel();
  const get = (path: string) => panel.app.fetch(new Request(`http://localhost${path}`));
  const sums = await (await get("/sdk/SHA256SUMS")).text();
  const names = readdirSync(folder);
  expect(sums.trim().split("\n")).toHaveLength(names.length);
  for (const name of names) {
    const response = await get(`/sdk/${name}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const sha256 = createHash("sha256")
      .update(await response.bytes())
      .digest("hex");
    expect(sums).toContain(`${sha256}  ${name}\n`);
  }
  expect((await get("/sdk/nothing.ts")).status).toBe(404);
  await panel.close();
});
