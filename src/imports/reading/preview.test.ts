import { expect, test } from "bun:test";
import { previewOf } from "./preview.ts";

const now = Date.UTC(2026, 10, 27);
const preview = (file: string, map = {}) =>
  previewOf(new TextEncoder().encode(file), { map, game: "PUBG MOBILE", now });

test("a preview has the first five lines, and the headings that belong to no column", async () => {
  const lines = Array.from({ length: 9 }, (_, index) => `${index},K${index},2027-01-01,x\n`);
  const found = await preview(`Order,License Key,Expiry,Sold To\n${lines.join("")}`);
  expect(found).toMatchObject({ isJson: false, others: ["Order", "Sold To"], problem: null });
  expect(found.lines.map((line) => "text" in line && line.text)).toEqual(["K0", "K1", "K2", "K3", "K4"]);
  const json = await preview('[{"key":"K1","level":"1","expiry":30,"note":"a"}]');
  expect(json).toMatchObject({ isJson: true, others: [], lines: [{ text: "K1", durationHours: 720 }] });
});

test("a preview of a file without a key column has its headings, from which one is chosen", async () => {
  const file = "Serial No.,Until\nK1,2027-01-01\n";
  const { others, lines, problem } = await preview(file);
  expect([others, lines]).toEqual([["Serial No.", "Until"], []]);
  expect(problem).toStartWith("No column is named key. Say which one holds the keys below.");
  const mapped = await preview(file, { key: "Serial No.", expires: "Until" });
  expect(mapped).toMatchObject({ others: ["Serial No.", "Until"], lines: [{ text: "K1" }], problem: null });
});

test("a preview has the licences in KeyAuth's object, and the headings of one", async () => {
  const key = { key: "K1", note: "", expiry: 86_400, status: "Not Used", level: "1", gendate: 1 };
  const found = await preview(JSON.stringify({ keys: [key, { ...key, key: "K2" }], tokens: [] }));
  expect(found).toMatchObject({ isJson: true, others: ["gendate"], lines: [{ text: "K1" }, { text: "K2" }] });
});

test("a preview says why a file cannot be read", async () => {
  expect(await preview("")).toEqual({ isJson: false, others: [], lines: [], problem: "The file is empty." });
  expect(await preview("key,expires\r")).toMatchObject({ lines: [], problem: "The file has no keys." });
  expect(await preview("[]")).toMatchObject({ isJson: true, lines: [], problem: "The file has no keys." });
  expect(await preview("OLD-1,2099-01-31\n")).toMatchObject({ problem: expect.stringContaining("is a key already") });
});
