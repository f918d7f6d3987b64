import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";

/** The plan of the house, executed: what stands where, and what may know what. */
const root = join(import.meta.dir, "..");

/** Slices import only those before them. */
const slices = [
  "accounts",
  "live",
  "tokens",
  "resellers",
  "keys",
  "updates",
  "overview",
  "backup",
  "reference",
  "pages",
  "command",
];

const linesPerFileMax = 300;
const bannedNames = /(^|[/.-])(utils?|helpers?|common|misc|types|index)(\.|\/|$)/i;

interface Source {
  path: string;
  text: string;
  isTest: boolean;
  /** Files of ours that it imports, from the root. `import type` does not count: nothing of it is there when the program runs. */
  imports: string[];
  packages: string[];
}

const sources: Source[] = ["src", "islands", "tests"].flatMap((folder) =>
  [...new Bun.Glob(`${folder}/**/*.{ts,tsx,css}`).scanSync({ cwd: root })]
    .filter((path) => !path.includes("artifacts"))
    .map(read),
);
const byPath = new Map(sources.map((source) => [source.path, source]));
const product = sources.filter(({ isTest, path }) => !isTest && !path.startsWith("tests/"));

function read(path: string): Source {
  const text = readFileSync(join(root, path), "utf8");
  const found = [
    ...text.matchAll(
      /^(?:import|export)\s+(type\s)?[^;"]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
    ),
  ];
  const ours = (specifier: string) => normalize(join(dirname(path), specifier));
  const named = found.map(([, isType, from, bare, dynamic]) => ({
    isType: Boolean(isType),
    name: from ?? bare ?? dynamic ?? "",
  }));
  const local = named.filter(({ name }) => name.startsWith("."));
  return {
    path,
    text,
    isTest: /\.test\.tsx?$/.test(path),
    imports: local.filter(({ isType }) => !isType).map(({ name }) => ours(name)),
    packages: named.filter(({ name, isType }) => !name.startsWith(".") && !isType).map(({ name }) => name),
  };
}

function folderOf(path: string): string {
  return path.startsWith("src/") ? (path.split("/").slice(1, -1)[0] ?? "") : "";
}

function offenders(isWrong: (source: Source) => boolean): string[] {
  return product.filter(isWrong).map(({ path }) => path);
}

describe("directions", () => {
  test("a slice imports only earlier slices", () => {
    const wrong = product.flatMap(({ path, imports }) => {
      const own = slices.indexOf(folderOf(path));
      if (own === -1) return [];
      return imports
        .filter((imported) => slices.indexOf(folderOf(imported)) > own)
        .map((imported) => `${path} → ${imported}`);
    });
    expect(wrong).toEqual([]);
  });

  test("what every slice stands on knows no slice, but for the API document, which words a suspension", () => {
    const wrong = product
      .filter(({ path }) => path.startsWith("src/") && !slices.includes(folderOf(path)))
      .filter(({ path }) => !["src/api.ts", "src/app.ts", "src/main.ts", "src/http/docs.ts"].includes(path))
      .flatMap(({ path, imports }) =>
        imports.filter((imported) => slices.includes(folderOf(imported))).map((imported) => `${path} → ${imported}`),
      );
    expect(wrong).toEqual([]);
  });

  test("no file imports itself by way of others", () => {
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]) => {
      if (trail.includes(path)) return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      if (done.has(path)) return;
      for (const imported of byPath.get(path)?.imports ?? []) visit(imported, [...trail, path]);
      done.add(path);
    };
    const done = new Set<string>();
    for (const { path } of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });

  test("a store knows no business: of every slice, its own too, it imports schemas alone", () => {
    const isSchema = (path: string) => /schema\.ts$/.test(path);
    const wrong = product
      .filter(({ path }) => slices.includes(folderOf(path)) && /(^|[/-])store\.ts$/.test(path))
      .flatMap(({ path, imports }) =>
        imports
          .filter((imported) => slices.includes(folderOf(imported)) && !isSchema(imported))
          .map((imported) => `${path} → ${imported}`),
      );
    expect(wrong).toEqual([]);
  });

  test("a business knows no HTTP", () => {
    const isRoutes = (path: string) => /routes\.tsx?$/.test(path);
    const speaksHttp = (path: string) =>
      isRoutes(path) ||
      /^src\/(http|pages|build)\//.test(path) ||
      ["src/api.ts", "src/app.ts", "src/accounts/access.ts"].includes(path) ||
      path.startsWith("islands/");
    expect(offenders(({ path, packages }) => packages.includes("elysia") && !speaksHttp(path))).toEqual([]);
    expect(
      offenders(
        ({ path, imports }) =>
          !isRoutes(path) && !["src/api.ts", "src/app.ts"].includes(path) && imports.some(isRoutes),
      ),
    ).toEqual([]);
  });

  test("routes hold no SQL", () => {
    expect(offenders(({ path, text }) => /routes\.tsx?$/.test(path) && /\b(sql|read)`|\bSELECT\b/.test(text))).toEqual(
      [],
    );
  });

  test("islands import only what runs in a browser", () => {
    const serverOnly = /^(elysia|@elysiajs\/|bun|node:|@logtape|fflate)/;
    const reached = new Map<string, string>();
    const visit = (path: string, from: string) => {
      if (reached.has(path)) return;
      reached.set(path, from);
      for (const imported of byPath.get(path)?.imports ?? []) visit(imported, path);
    };
    for (const { path } of product) if (path.startsWith("islands/") && !path.includes("happy-dom")) visit(path, "");
    const wrong = [...reached].filter(([path]) => byPath.get(path)?.packages.some((name) => serverOnly.test(name)));
    expect(wrong).toEqual([]);
  });
});

describe("one way out", () => {
  const only = (pattern: RegExp, allowed: RegExp) =>
    offenders(({ path, text }) => pattern.test(withoutComments(text)) && !allowed.test(path));

  test("the clock, chance and the environment are asked by main.ts alone, and passed in", () => {
    expect(
      only(/\bDate\.now\b|\bMath\.random\b|\bprocess\.env\b|new Date\(\)/, /^(src\/main\.ts|src\/build\/|islands\/)/),
    ).toEqual([]);
  });

  test("islands fetch through api.ts and open sockets through live.ts", () => {
    const inIslands = (pattern: RegExp, file: string) =>
      offenders(
        ({ path, text }) => path.startsWith("islands/") && path !== file && pattern.test(withoutComments(text)),
      );
    expect(inIslands(/(?<![.\w`])fetch\(/, "islands/server/api.ts")).toEqual([]);
    expect(inIslands(/new WebSocket\(/, "islands/server/live.ts")).toEqual([]);
  });

  test("what is pressed is carried out by work.ts, because a double press must not do it twice", () => {
    expect(only(/\buseMutation\b/, /^islands\/server\/work\.ts$/)).toEqual([]);
  });

  test("what comes late comes by late.ts, because a script that React's lazy loses takes its island out of the page", () => {
    expect(offenders(({ text }) => /\blazy\b[^;]*from "react"/.test(text))).toEqual([]);
  });
});

describe("files", () => {
  test(`have at most ${linesPerFileMax} lines`, () => {
    expect(offenders(({ text }) => text.split("\n").length - 1 > linesPerFileMax)).toEqual([]);
  });

  test("are named for what they hold", () => {
    expect(
      sources.map(({ path }) => path).filter((path) => bannedNames.test(path) || / /.test(basename(path))),
    ).toEqual([]);
  });

  test("leave nothing unfinished, and no test is skipped", () => {
    const unfinished = /\b(TODO|FIXME|XXX|HACK)\b|(test|it|describe)\.(skip|todo|only)\(/;
    const wrong = sources.filter(({ path, text }) => path !== "src/structure.test.ts" && unfinished.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
