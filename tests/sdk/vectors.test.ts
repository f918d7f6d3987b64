import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as sdk from "../../public/sdk/latchkey.ts";
import { failuresOf } from "./play.ts";
import { type Vectors, vectorsPath, writtenVectors } from "./vectors.ts";

const mutationsMsMax = 120_000;

const written = readFileSync(vectorsPath, "utf8");
const vectors: Vectors = JSON.parse(written);
const { proofs, deviceIds, runs } = vectors;

test("vectors.json is up to date", () => {
  // Otherwise: bun tests/sdk/vectors.ts
  expect(written).toBe(writtenVectors());
});

test("there are at least 150 cases, each with a name of its own", () => {
  const names = [...proofs.map(({ name }) => `proof: ${name}`), ...runs.map(({ name }) => `run: ${name}`)];
  expect(new Set(names).size).toBe(names.length);
  expect(names.length + deviceIds.length).toBeGreaterThanOrEqual(150);
});

test("the TypeScript SDK passes all vectors", async () => {
  expect(Object.fromEntries(await failuresOf(sdk, vectors))).toEqual({});
});

describe("a broken SDK", () => {
  const source = readFileSync(join(import.meta.dir, "../../public/sdk/latchkey.ts"), "utf8");
  /** The cases that noticed a mutation, and the mutations that no case noticed. */
  const noticing = new Set<string>();
  const survivors: Mutation[] = [];

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "sdk-"));
    const crypto = { sha512: remembered(sdk.platform.sha512), verify: remembered(sdk.platform.verify) };
    for (const [index, { from, to }] of readMutations().entries()) {
      if (source.split(from).length !== 2) throw new Error(`latchkey.ts should contain this once: ${from}`);
      const path = join(folder, `${index}.ts`);
      await Bun.write(
        path,
        source.replace(from, () => to),
      );
      const failures = await failuresOf(await import(path), vectors, crypto);
      if (failures.size === 0) survivors.push({ from, to });
      for (const name of failures.keys()) noticing.add(name);
    }
    rmSync(folder, { recursive: true });
  }, mutationsMsMax);

  test("is noticed, whatever is broken", () => {
    expect(survivors).toEqual([]);
  });

  test("is noticed by each case, for some way of breaking it", () => {
    const names = [
      ...proofs.map(({ name }) => `proof: ${name}`),
      ...deviceIds.map(({ game, source }) => `device id: ${JSON.stringify([game, source])}`),
      ...runs.map(({ name }) => `run: ${name}`),
    ];
    expect(names.filter((name) => !noticing.has(name))).toEqual([]);
  });
});

interface Mutation {
  from: string;
  to: string;
}

function readMutations(): Mutation[] {
  const [, ...blocks] = readFileSync(join(import.meta.dir, "mutations.txt"), "utf8")
    .trim()
    .split("\n\n");
  return blocks.map((block) => {
    const marked = (mark: string) => block.split("\n").filter((line) => line.startsWith(mark));
    const [from, to] = ["-", "+"].map((mark) =>
      marked(mark)
        .map((line) => line.slice(2))
        .join("\n"),
    );
    return { from: from as string, to: to as string };
  });
}

/** A function that computes the result for the same bytes once. */
function remembered<Result>(compute: (...bytes: Uint8Array[]) => Promise<Result> | Result) {
  const results = new Map<string, Promise<Result> | Result>();
  return (...bytes: Uint8Array[]) => {
    const name = bytes.map((each) => Buffer.from(each).toString("latin1")).join("|");
    const known = results.get(name);
    if (known !== undefined) return known;
    const result = compute(...bytes);
    results.set(name, result);
    return result;
  };
}
