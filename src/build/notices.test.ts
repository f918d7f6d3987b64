import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noticesFile } from "./archive.ts";
import { root, writeBill } from "./executable.ts";

const { components } = JSON.parse(await writeBill());
const notices = readFileSync(join(root, noticesFile), "utf8");

test("every component of the bill of materials is in the notices, with its version and licence", () => {
  expect(components.length).toBeGreaterThan(50);
  const [bun] = components.filter((component: { name: string }) => component.name === "bun");
  for (const { group, name, version, licenses } of [...components, ...bun.components]) {
    expect(notices).toContain(`${group ? `${group}/` : ""}${name} ${version} (${licenses[0].license.id})`);
  }
});

test("a licence has its whole text, once for all packages that have the same", () => {
  const elysia = readFileSync(join(root, "node_modules/elysia/LICENSE"), "utf8").trim();
  expect(notices.split(elysia)).toHaveLength(2);
});

test("a package without a text names its author", () => {
  expect(notices).toMatch(/react-remove-scroll-bar [\d.]+ \(MIT\)\n\nCopyright \(c\) Anton Korzunov/);
});
