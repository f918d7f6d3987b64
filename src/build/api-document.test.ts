import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openPanel } from "../../tests/panel.ts";
import { temporaryFolder } from "../../tests/process.ts";
import { readApiDocument } from "./api-document.ts";
import { checksumsFile, writeChecksums } from "./archive.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

test("a release has the API document that servers serve, and its checksum", async () => {
  const document = await readApiDocument();
  const panel = await openPanel();
  expect(document).toBe((await panel.newClient().get("/swagger/json")).text);
  await panel.close();

  await Bun.write(join(folder, "latchkey.openapi.json"), document);
  await Bun.write(join(folder, "latchkey.tar.gz"), "an archive");
  expect(await writeChecksums(folder)).toBe(2);
  const checked = await Bun.$`sha256sum --check --strict ${checksumsFile}`.cwd(folder).text();
  expect(checked).toBe("latchkey.openapi.json: OK\nlatchkey.tar.gz: OK\n");
});
