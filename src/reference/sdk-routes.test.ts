import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openPanel } from "../../tests/panel.ts";
import { sdkFiles, vectorsName } from "./sdk-files.ts";

const folder = join(import.meta.dir, "../../public/sdk");

test("each SDK has one version, a start of at most ten lines, and says which library it needs", () => {
  const sdks = sdkFiles();
  expect([...sdks.map(({ name }) => name), vectorsName].sort()).toEqual(readdirSync(folder).sort());
  expect([...new Set(sdks.map(({ version }) => version))]).toEqual(["1.0.0"]);
  for (const { name, title, start, notes } of sdks) {
    expect([name, title.length > 10 && title !== name]).toEqual([name, true]);
    expect([name, start.split("\n").length <= 10, /check\(/i.test(start)]).toEqual([name, true, true]);
    expect([name, notes[0]]).toEqual([name, expect.stringMatching(/needs|WebCrypto|CryptoKit/)]);
  }
  const unrun = sdks.filter(({ notes }) => notes.some((note) => note.includes("has never been run")));
  expect(unrun.map(({ name }) => name)).toEqual(["Latchkey.swift", "latchkey.dart"]);
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
