import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import manifest from "../../package.json";
import { billOfMaterials, bundledPackages } from "./bill-of-materials.ts";

const root = join(import.meta.dir, "../..");
const nested = "@scalar/themes/node_modules/@scalar/types";
const packages = new Set(["elysia", "cookie", "react", nested, "@scalar/themes"]);
const builtAt = new Date("2026-11-21T12:00:00Z");
const write = () => billOfMaterials({ root, packages, version: "1.2.3", builtAt });

describe("the bill of materials", () => {
  const bill = JSON.parse(write());
  const byName = (name: string) =>
    bill.components.filter((component: { purl?: string }) => component.purl?.startsWith(`pkg:npm/${name}@`));

  test("describes Latchkey itself with the version and time of the commit", () => {
    expect([bill.bomFormat, bill.specVersion]).toEqual(["CycloneDX", "1.6"]);
    expect(bill.metadata.timestamp).toBe("2026-11-21T12:00:00.000Z");
    expect(bill.metadata.component).toMatchObject({ name: "latchkey", version: "1.2.3" });
  });

  test("has each package once, with version, licence and the checksum from bun.lock", () => {
    const [elysia, ...others] = byName("elysia");
    expect(others).toEqual([]);
    expect(elysia).toMatchObject({ name: "elysia", version: manifest.dependencies.elysia });
    expect(elysia.licenses).toEqual([{ license: expect.objectContaining({ id: "MIT" }) }]);
    expect(elysia.hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    expect(bill.components).toHaveLength(packages.size + 1);
  });

  test("distinguishes nested packages and lists dependencies", () => {
    const [types, ...others] = byName("%40scalar/types");
    expect(others).toEqual([]);
    const themes = byName("%40scalar/themes")[0];
    const needs = (ref: string) => bill.dependencies.find((each: { ref: string }) => each.ref === ref)?.dependsOn ?? [];
    expect(needs(themes["bom-ref"])).toEqual([types["bom-ref"]]);
    expect(needs("latchkey")).toEqual(
      expect.arrayContaining([byName("elysia")[0]["bom-ref"], byName("react")[0]["bom-ref"]]),
    );
    expect(needs("latchkey")).not.toContain(byName("cookie")[0]["bom-ref"]);
  });

  test("has Bun, and within it SQLite with its actual version", () => {
    const bun = bill.components.find(({ name }: { name: string }) => name === "bun");
    const parts = Object.fromEntries(
      bun.components.map((part: { name: string; version: string }) => [part.name, part]),
    );
    expect(bun.version).toBe(Bun.version);
    expect(parts.sqlite).toMatchObject({
      version: process.versions.sqlite,
      licenses: [{ license: { id: "blessing" } }],
    });
  });

  test("is reproducible byte for byte", () => {
    expect(write()).toBe(write());
  });
});

test("includes the packages that remain in a bundle, also nested ones", () => {
  const inputs = {
    "src/main.ts": { bytesInOutput: 10 },
    "node_modules/elysia/dist/index.mjs": { bytesInOutput: 10 },
    "../node_modules/@scalar/themes/node_modules/@scalar/types/a.js": { bytesInOutput: 1 },
    "node_modules/dropped/index.js": { bytesInOutput: 0 },
  };
  expect([...bundledPackages({ outputs: { "main.js": { inputs } } })]).toEqual(["elysia", nested]);
});
