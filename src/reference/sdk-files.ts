import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resourcePath } from "../config/program.ts";

/** The files of `public/sdk` (rules.md: SDKs), in the order of the documentation. */
const names = [
  "latchkey.ts",
  "Latchkey.java",
  "Latchkey.cs",
  "Latchkey.swift",
  "latchkey.dart",
  "latchkey.hpp",
  "latchkey.py",
  "latchkey.lua",
];
export const vectorsName = "vectors.json";

export interface SdkFile {
  name: string;
  /** Language and platforms. */
  title: string;
  version: string;
  sha256: string;
  /** How a game starts with it: the example in the head of the file. */
  start: string;
  /** The rest of the head: which library it needs, and why. */
  notes: string[];
}

let known: SdkFile[] | undefined;

/** Read from the files themselves, so that what the documentation says is what they say. */
export function sdkFiles(): SdkFile[] {
  known ??= names.map(readSdk);
  return known;
}

/** For `sha256sum -c`. */
export function sdkChecksums(): string {
  const vectors = { name: vectorsName, sha256: sha256Of(contentOf(vectorsName)) };
  return [...sdkFiles(), vectors].map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}

const contentOf = (name: string) => readFileSync(resourcePath(`public/sdk/${name}`), "utf8");

const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");

function readSdk(name: string): SdkFile {
  const text = contentOf(name);
  const [, head = ""] = text.match(/(?:\/\*|"""|--\[\[)\n(.*?)\n(?: \*\/|"""|\]\])/s) ?? [];
  const lines = head.split("\n").map((line) => line.replace(/^ \* ?/, ""));
  const isCode = (line: string) => line.startsWith("  ");
  const paragraphs = lines
    .filter((line) => !isCode(line))
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " ").trim())
    .filter(Boolean);
  const [first = "", ...notes] = paragraphs;
  return {
    name,
    title: first.match(/^Latchkey SDK for (.*?)\. One /)?.[1] ?? name,
    version: text.match(/version\b.*?["'](\d+\.\d+\.\d+)["']/i)?.[1] ?? "",
    sha256: sha256Of(text),
    start: dedented(lines.filter(isCode)),
    notes,
  };
}

function dedented(lines: string[]): string {
  const indent = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join("\n");
}
