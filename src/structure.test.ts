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
  "catalogue",
  "verify",
  "keys",
  "orders",
  "updates",
  "reports",
  "search",
  "audit",
  "backups",
  "reference",
  "pages",
  "swagger",
  "commands",
];

/** The rooms of `islands`: one imports only those in the rows before its own. Below `screens` stand what several screens share. */
const rooms = [
  ["runtime"],
  ["state"],
  ["ui"],
  ["api"],
  ["forms"],
  ["screens/keys/list", "screens/keys/order", "screens/reference"],
  ["screens/keys/life", "screens/figures"],
  ["screens/orders", "screens/ledger", "screens/resellers"],
  ["auth", "shell", "screens"],
];
const shared = rooms.flat().filter((room) => room.startsWith("screens/"));

const linesPerFileMax = 300;
const bannedNames = /(^|[/.-])(utils?|helpers?|common|misc|types|index)(\.|\/|$)/i;

interface Source {
  path: string;
  text: string;
  isTest: boolean;
  /** Files of ours that it imports, from the root, types too: who knows a type knows where it stands. */
  imports: string[];
  /** Those of them, and the packages, that are there when the program runs: `import type` does not count. */
  loads: string[];
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
    imports: local.map(({ name }) => ours(name)),
    loads: local.filter(({ isType }) => !isType).map(({ name }) => ours(name)),
    packages: named.filter(({ name, isType }) => !name.startsWith(".") && !isType).map(({ name }) => name),
  };
}

function folderOf(path: string): string {
  return path.split("/").slice(1, -1)[0] ?? "";
}

/** Which slice it belongs to, by its place in the order; -1 for what all slices stand on. */
function sliceOf(path: string): number {
  return path.startsWith("src/") ? slices.indexOf(folderOf(path)) : -1;
}

/** The room that a file of `islands` stands in; "" for what all rooms stand on, such as format.ts. */
function roomOf(path: string): string {
  return shared.find((room) => path.startsWith(`islands/${room}/`)) ?? (isIsland(path) ? folderOf(path) : "");
}

/** Which row of rooms it stands in; -1 for what all rooms stand on. */
function rowOf(path: string): number {
  return rooms.findIndex((row) => row.includes(roomOf(path)));
}

function isIsland(path: string): boolean {
  return path.startsWith("islands/");
}

function offenders(isWrong: (source: Source) => boolean): string[] {
  return product.filter(isWrong).map(({ path }) => path);
}

function wrongImports(isWrong: (path: string, imported: string) => boolean): string[] {
  return product.flatMap(({ path, imports }) =>
    imports.filter((imported) => isWrong(path, imported)).map((imported) => `${path} → ${imported}`),
  );
}

describe("directions", () => {
  test("a slice imports only earlier slices", () => {
    expect(wrongImports((path, imported) => sliceOf(path) !== -1 && sliceOf(imported) > sliceOf(path))).toEqual([]);
  });

  test("what every slice stands on knows no slice", () => {
    const composes = ["src/main.ts", "src/server.ts"];
    const isBelow = (path: string) => path.startsWith("src/") && sliceOf(path) === -1 && !composes.includes(path);
    expect(wrongImports((path, imported) => isBelow(path) && sliceOf(imported) !== -1)).toEqual([]);
  });

  test("a room of the islands imports only rooms of earlier rows", () => {
    const isTooLate = (path: string, imported: string) =>
      rowOf(imported) !== -1 && rowOf(imported) >= rowOf(path) && roomOf(imported) !== roomOf(path);
    expect(wrongImports((path, imported) => isIsland(path) && isIsland(imported) && isTooLate(path, imported))).toEqual(
      [],
    );
    expect(offenders(({ path }) => isIsland(path) && roomOf(path) !== "" && rowOf(path) === -1)).toEqual([]);
  });

  test("primitives know no slice: what is shown of a noun stands with its list or its screen", () => {
    const isPrimitive = (path: string) => /^islands\/(runtime|state|ui)\//.test(path);
    expect(wrongImports((path, imported) => isPrimitive(path) && sliceOf(imported) !== -1)).toEqual([]);
  });

  test("a screen knows no other screen's parts: what two of them show has a room of its own", () => {
    const partOf = /^(islands\/screens\/[^/]+)\//;
    const isOthers = (path: string, imported: string) =>
      !shared.includes(roomOf(imported)) && !path.startsWith(partOf.exec(imported)?.[1] ?? "");
    expect(wrongImports((path, imported) => isIsland(path) && isOthers(path, imported))).toEqual([]);
  });

  test("nothing relies on undocumented behaviour of Bun, JavaScriptCore or Elysia", () => {
    const isInternal = (name: string) => /^(bun:(ffi|jsc)|elysia\/adapter)/.test(name);
    expect(offenders(({ packages, text }) => packages.some(isInternal) || /\bBun\.unsafe\b/.test(text))).toEqual([]);
  });

  test("of the server, only pages know the islands", () => {
    const mayNot = (path: string) => path.startsWith("src/") && !path.startsWith("src/pages/");
    expect(wrongImports((path, imported) => mayNot(path) && isIsland(imported))).toEqual([]);
  });

  test("a file of limits imports nothing: a page that shows one would load that too", () => {
    expect(
      offenders(({ path, imports, packages }) => /\blimits\.ts$/.test(path) && [...imports, ...packages].length > 0),
    ).toEqual([]);
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

  test("a store knows no business: it imports shapes, the rules that SQL shares with rows, and its slice's other stores", () => {
    const isShape = (path: string) =>
      /([-/]schema|\/catalogue)\.ts$/.test(path) || /^src\/(keys\/model|verify\/verdict)\.ts$/.test(path);
    const isStore = (path: string) => sliceOf(path) !== -1 && /[-/]store\.ts$/.test(path);
    const isOwnStore = (path: string, imported: string) => isStore(imported) && sliceOf(imported) === sliceOf(path);
    const isBusiness = (path: string, imported: string) =>
      sliceOf(imported) !== -1 && !isShape(imported) && !isOwnStore(path, imported);
    expect(wrongImports((path, imported) => isStore(path) && isBusiness(path, imported))).toEqual([]);
  });

  test("a business knows no HTTP", () => {
    const isRoutes = (path: string) => /routes\.tsx?$/.test(path);
    const composes = ["src/server.ts", "src/swagger/api.ts"];
    const speaksHttp = (path: string) =>
      isRoutes(path) ||
      /^src\/(http|pages|swagger|build)\//.test(path) ||
      [...composes, "src/accounts/access.ts"].includes(path) ||
      isIsland(path);
    expect(offenders(({ path, packages }) => packages.includes("elysia") && !speaksHttp(path))).toEqual([]);
    expect(wrongImports((path, imported) => isRoutes(imported) && !isRoutes(path) && !composes.includes(path))).toEqual(
      [],
    );
  });

  test("SQL stands in stores, beside the engine, and in the one rule of what a key's status is", () => {
    const template = /\b(sql|read|part)(<[^`]*>)?`/;
    const mayHoldSql = /[-/]store\.ts$|^src\/db\/|^src\/keys\/model\.ts$/;
    expect(offenders(({ path, text }) => template.test(withoutComments(text)) && !mayHoldSql.test(path))).toEqual([]);
  });

  test("who changes data goes through acts.ts, which writes the record: past it go what game clients do, and what the server does by itself", () => {
    const goesPast = [
      "src/accounts/sessions.ts",
      "src/accounts/two-factor/two-factor.ts",
      "src/audit/audit.ts",
      "src/commands/demo/demo.ts",
      "src/verify/statistics.ts",
      "src/verify/verification.ts",
    ];
    const transacts = /\.transaction\(/;
    const isDoor = (path: string) => path === "src/accounts/audited-changes.ts" || path.startsWith("src/db/");
    expect(offenders(({ path, text }) => transacts.test(withoutComments(text)) && !isDoor(path)).sort()).toEqual(
      goesPast,
    );
  });

  test("only the stores of keys/ and verify/ write license_keys and devices, and every function that does reports its keys", () => {
    const writes = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(license_keys|key_devices)\b/;
    // A new key is in no cache.
    const changes = /\b(UPDATE|DELETE\s+FROM)\s+license_keys\b|\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+key_devices\b/;
    const isStore = (path: string) => /^src\/(keys|verify)\/(.*[-/])?store\.ts$/.test(path);
    const isApart = (path: string) => /^src\/(db|commands\/demo)\//.test(path);
    expect(
      offenders(({ path, text }) => writes.test(withoutComments(text)) && !isStore(path) && !isApart(path)),
    ).toEqual([]);
    const changing = product
      .filter(({ path }) => isStore(path))
      .flatMap(({ path, text }) =>
        withoutComments(text)
          .split(/^(?=(?:export )?(?:async )?function |(?:export )?const )/m)
          .filter((piece) => changes.test(piece))
          .map((piece) => ({ name: `${path}: ${piece.split("(")[0]}`, isReported: piece.includes("keyChanged(") })),
      );
    expect(changing.length).toBeGreaterThan(4);
    expect(changing.filter(({ isReported }) => !isReported)).toEqual([]);
  });

  test("a store takes the connection that it is to use: which one is its caller's choice", () => {
    expect(offenders(({ path, text }) => /[-/]store\.ts$/.test(path) && /\bDatabase\b/.test(text))).toEqual([]);
  });

  test("a slice knows nothing of the engine: which one it is, the command line knows", () => {
    const isSlice = ({ path }: Source) => sliceOf(path) !== -1 && sliceOf(path) !== slices.indexOf("commands");
    const names = ({ text, imports }: Source) =>
      /postgres|sqlite/i.test(withoutComments(text)) ||
      imports.some((path) => /^src\/db\/(postgres\/|sqlite\/sqlite)/.test(path));
    expect(offenders((source) => (isSlice(source) || isIsland(source.path)) && names(source))).toEqual([]);
  });

  test("islands load only what runs in a browser", () => {
    const serverOnly = /^(elysia|@elysiajs\/|bun|node:|@logtape|fflate)/;
    const reached = new Map<string, string>();
    const visit = (path: string, from: string) => {
      if (reached.has(path)) return;
      reached.set(path, from);
      for (const loaded of byPath.get(path)?.loads ?? []) visit(loaded, path);
    };
    for (const { path } of product) if (isIsland(path) && !path.includes("happy-dom")) visit(path, "");
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
      offenders(({ path, text }) => isIsland(path) && path !== file && pattern.test(withoutComments(text)));
    expect(inIslands(/(?<![.\w`])fetch\(/, "islands/api/api.ts")).toEqual([]);
    expect(inIslands(/new WebSocket\(/, "islands/api/live.ts")).toEqual([]);
  });

  test("islands name their calls in islands/api: no other file writes a path of the API", () => {
    const writesPath = ({ path, text }: Source) => isIsland(path) && /(?<!\.)\/api\//.test(withoutComments(text));
    expect(offenders(writesPath).filter((path) => !path.startsWith("islands/api/"))).toEqual([]);
  });

  test("what is pressed is carried out by work.ts, because a double press must not do it twice", () => {
    expect(only(/\buseMutation\b/, /^islands\/api\/work\.ts$/)).toEqual([]);
  });

  test("a lazy part comes by lazy.ts, because a script that React's own lazy loses takes its island out of the page", () => {
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

describe("drills", () => {
  const isDrill = ({ path, text }: Source) =>
    /^tests\/drills\/[^/]+$/.test(path) && /^export const drill\b/m.test(text);
  const names = sources.filter(isDrill).map(({ path }) => path.replace(/^.*\/|\.ts$/g, ""));
  const patches = [...new Bun.Glob("*.patch").scanSync(join(root, "tests/drills"))];

  test.each(names)("%s has a patch that breaks what it proves", (name) => {
    expect(patches).toContain(`${name}.patch`);
  });

  test.each(patches)("%s is a drill's", (patch) => {
    expect(names).toContain(patch.split(".")[0] as string);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
