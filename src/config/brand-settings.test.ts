import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { readBrand } from "./brand-settings.ts";

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(file("logo.png"), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]));
  writeFileSync(
    file("logo.svg"),
    '<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
  );
  writeFileSync(file("page.svg"), "<html><svg></svg></html>");
  writeFileSync(file("large.svg"), `<svg>${" ".repeat(200_000)}</svg>`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("without settings the panel is called Latchkey and has its own logo", () => {
  expect(readBrand({})).toEqual({ name: "Latchkey", logoFile: null, supportLink: null });
});

test("a name, a logo and a support link are read", () => {
  expect(readBrand({ PANEL_NAME: " Night Owl <Keys> ", SUPPORT_LINK: "https://example.com/help" })).toMatchObject({
    name: "Night Owl <Keys>",
    supportLink: "https://example.com/help",
  });
  expect(readBrand({ PANEL_NAME: "Owl ❤️" }).name).toBe("Owl ❤️");
  expect(readBrand({ PANEL_LOGO: file("logo.png") }).logoFile?.type).toBe("image/png");
  expect(readBrand({ PANEL_LOGO: file("logo.svg") }).logoFile?.type).toBe("image/svg+xml");
});

test.each([
  ["PANEL_NAME", "x".repeat(41), "PANEL_NAME must be 1 to 40 visible characters."],
  ["PANEL_NAME", "Night\u200bOwl", "PANEL_NAME must be 1 to 40 visible characters; it contains U+200B."],
  ["SUPPORT_LINK", "javascript:alert(1)", "SUPPORT_LINK must be an http or https address."],
  ["PANEL_LOGO", "nothing.png", "nothing.png does not exist."],
  ["PANEL_LOGO", "page.svg", "PANEL_LOGO must be a PNG or SVG file of at most 200 KB."],
  ["PANEL_LOGO", "large.svg", "PANEL_LOGO must be a PNG or SVG file of at most 200 KB."],
])("%s %p stops the server with a sentence", (name, value, sentence) => {
  expect(() => readBrand({ [name]: name === "PANEL_LOGO" ? file(value) : value })).toThrow(sentence);
});
