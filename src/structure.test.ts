import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { adminRights } from "./accounts/scopes.ts";

/** Enforces the architecture: where code belongs, and what it may depend on. */
const root = join(import.meta.dir, "..");

/** In order: a slice imports only earlier ones. */
const slices = [
  "accounts",
  "webhooks",
  "live",
  "tokens",
  "resellers",
  "catalogue",
  "proof",
  "languages",
  "verify",
  "keys",
  "interventions",
  "players",
  "orders",
  "shop-links",
  "imports",
  "updates",
  "reports",
  "search",
  "audit",
  "backups",
  "clock",
  "reference",
  "pages",
  "swagger",
  "commands",
];

/** The folders of slices, in order: one imports only earlier ones of its slice. Files beside them may import any. */
const roomsOfSlices: Record<string, string[]> = {
  accounts: ["passwords", "two-factor", "api-keys", "staff"],
  webhooks: ["sending"],
  languages: ["texts"],
  verify: ["fast"],
  keys: ["list", "devices", "blocks", "selection", "life", "export", "timeline"],
  imports: ["reading"],
  commands: ["terminal", "demo"],
};

/**
 * The folders of `islands`: one imports only folders of earlier rows. Those below `screens` are shared by several
 * screens.
 */
const rooms = [
  ["runtime"],
  ["state"],
  ["ui"],
  ["api"],
  ["forms"],
  ["screens/keys/order", "screens/reference"],
  ["screens/keys/list"],
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
  /** Our files that it imports, including types, as paths from the root. */
  imports: string[];
  /** Those files, and the packages, that are loaded at runtime, so without `import type`. */
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

/** The index of a file's slice in the order; -1 for what all slices use. */
function sliceOf(path: string): number {
  return path.startsWith("src/") ? slices.indexOf(folderOf(path)) : -1;
}

/** The folder of a file of `islands`; "" for what all of them use, such as format.ts. */
function roomOf(path: string): string {
  return shared.find((room) => path.startsWith(`islands/${room}/`)) ?? (isIsland(path) ? folderOf(path) : "");
}

/** The row of a file's folder; -1 for what all folders use. */
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

describe("imports", () => {
  test("a slice imports only earlier slices", () => {
    expect(wrongImports((path, imported) => sliceOf(path) !== -1 && sliceOf(imported) > sliceOf(path))).toEqual([]);
  });

  test("a folder of a slice imports only earlier folders of it", () => {
    const placeOf = (path: string) => {
      const [, slice = "", room = ""] = dirname(path).split("/");
      return sliceOf(path) === -1 || room === "" ? null : { slice, place: (roomsOfSlices[slice] ?? []).indexOf(room) };
    };
    const isTooLate = (path: string, imported: string) => {
      const [from, to] = [placeOf(path), placeOf(imported)];
      return from !== null && to !== null && from.slice === to.slice && to.place > from.place;
    };
    expect(offenders(({ path }) => placeOf(path)?.place === -1)).toEqual([]);
    expect(wrongImports(isTooLate)).toEqual([]);
  });

  test("what all slices use imports no slice", () => {
    const composes = ["src/main.ts", "src/server.ts"];
    const isBelow = (path: string) => path.startsWith("src/") && sliceOf(path) === -1 && !composes.includes(path);
    expect(wrongImports((path, imported) => isBelow(path) && sliceOf(imported) !== -1)).toEqual([]);
  });

  test("a folder of islands imports only folders of earlier rows", () => {
    const isTooLate = (path: string, imported: string) =>
      rowOf(imported) !== -1 && rowOf(imported) >= rowOf(path) && roomOf(imported) !== roomOf(path);
    expect(wrongImports((path, imported) => isIsland(path) && isIsland(imported) && isTooLate(path, imported))).toEqual(
      [],
    );
    expect(offenders(({ path }) => isIsland(path) && roomOf(path) !== "" && rowOf(path) === -1)).toEqual([]);
  });

  test("primitives of islands import no slice", () => {
    const isPrimitive = (path: string) => /^islands\/(runtime|state|ui)\//.test(path);
    expect(wrongImports((path, imported) => isPrimitive(path) && sliceOf(imported) !== -1)).toEqual([]);
  });

  test("every part of the panel that needs a right names one that staff can have", () => {
    const known = [...adminRights, "everything"] as string[];
    const needs = product
      .filter(({ path }) => isIsland(path))
      .flatMap(({ text }) =>
        [...text.matchAll(/(?:\bneed(?:=|: | = )|\bmay\(\[?|Needs = \[)"([a-z:]+)"/g)].map(([, need]) => need),
      );
    expect(needs.length).toBeGreaterThan(30);
    expect(needs.filter((need) => !known.includes(need ?? ""))).toEqual([]);
  });

  test("a screen imports no part of another screen: shared parts have a folder", () => {
    const partOf = /^(islands\/screens\/[^/]+)\//;
    const isOthers = (path: string, imported: string) =>
      !shared.includes(roomOf(imported)) && !path.startsWith(partOf.exec(imported)?.[1] ?? "");
    expect(wrongImports((path, imported) => isIsland(path) && isOthers(path, imported))).toEqual([]);
  });

  test("nothing relies on undocumented behaviour of Bun, JavaScriptCore or Elysia", () => {
    const isInternal = (name: string) => /^(bun:(ffi|jsc)|elysia\/adapter)/.test(name);
    expect(offenders(({ packages, text }) => packages.some(isInternal) || /\bBun\.unsafe\b/.test(text))).toEqual([]);
  });

  test("on the server, only pages import islands", () => {
    const mayNot = (path: string) => path.startsWith("src/") && !path.startsWith("src/pages/");
    expect(wrongImports((path, imported) => mayNot(path) && isIsland(imported))).toEqual([]);
  });

  test("a file of limits imports nothing, because pages that show a limit would load that too", () => {
    expect(
      offenders(({ path, imports, packages }) => /\blimits\.ts$/.test(path) && [...imports, ...packages].length > 0),
    ).toEqual([]);
  });

  test("there are no import cycles", () => {
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

  test("a store imports no business logic: only schemas, the rules that SQL shares with rows, and stores of its slice", () => {
    const isShape = (path: string) =>
      /[-/]schema\.ts$/.test(path) || /^src\/((keys|catalogue)\/model|verify\/verdict)\.ts$/.test(path);
    const isStore = (path: string) => sliceOf(path) !== -1 && /[-/]store\.ts$/.test(path);
    const isOwnStore = (path: string, imported: string) => isStore(imported) && sliceOf(imported) === sliceOf(path);
    const isBusiness = (path: string, imported: string) =>
      sliceOf(imported) !== -1 && !isShape(imported) && !isOwnStore(path, imported);
    expect(wrongImports((path, imported) => isStore(path) && isBusiness(path, imported))).toEqual([]);
  });

  test("business logic does not depend on HTTP", () => {
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

  test("SQL is only in stores, in db/ and in the rule of a key's status", () => {
    const template = /\b(sql|read|part)(<[^`]*>)?`/;
    const mayHoldSql = /[-/]store\.ts$|^src\/db\/|^src\/(keys|catalogue)\/model\.ts$/;
    expect(offenders(({ path, text }) => template.test(withoutComments(text)) && !mayHoldSql.test(path))).toEqual([]);
  });

  test("every change by a person goes through audited-changes.ts; game clients and the server itself do not", () => {
    const goesPast = [
      "src/accounts/passwords/wrong-passwords.ts",
      "src/accounts/sessions.ts",
      "src/accounts/two-factor/two-factor.ts",
      "src/audit/audit.ts",
      "src/backups/backups.ts",
      "src/commands/demo/demo.ts",
      "src/imports/import-work.ts",
      "src/interventions/intervention-work.ts",
      "src/keys/life/pause.ts",
      "src/players/releases.ts",
      "src/proof/signing-keys.ts",
      "src/shop-links/sales.ts",
      "src/shop-links/shop-links.ts",
      "src/verify/statistics.ts",
      "src/verify/verification.ts",
      "src/webhooks/deliveries.ts",
      "src/webhooks/expiring-keys.ts",
      "src/webhooks/secrets.ts",
    ];
    const transacts = /\.transaction\(/;
    // The samples show other databases.
    const isDoor = (path: string) =>
      path === "src/accounts/audited-changes.ts" || /^src\/(db\/|reference\/.*-samples\.ts$)/.test(path);
    expect(offenders(({ path, text }) => transacts.test(withoutComments(text)) && !isDoor(path)).sort()).toEqual(
      goesPast,
    );
  });

  test("only the stores of keys/ and verify/ write license_keys and key_devices, and every function that does reports its keys", () => {
    const writes = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(license_keys|key_devices)\b/;
    // A new key is not cached yet.
    const changes = /\b(UPDATE|DELETE\s+FROM)\s+license_keys\b|\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+key_devices\b/;
    const isStore = (path: string) => /^src\/(keys|verify)\/(.*[-/])?store\.ts$/.test(path);
    const isApart = (path: string) => /^src\/(db|clock|commands\/demo)\//.test(path);
    // The cache has what this writes.
    const isKnown = "src/verify/statistics-store.ts: export async function writeSeen";
    expect(
      offenders(({ path, text }) => writes.test(withoutComments(text)) && !isStore(path) && !isApart(path)),
    ).toEqual([]);
    const changing = product
      .filter(({ path }) => isStore(path))
      .flatMap(({ path, text }) =>
        declarationsIn(text)
          .filter((piece) => changes.test(piece))
          .map((piece) => ({ name: `${path}: ${piece.split("(")[0]}`, isReported: piece.includes("keyChanged(") })),
      );
    expect(changing.length).toBeGreaterThan(4);
    expect(changing.filter(({ name, isReported }) => !isReported && name !== isKnown)).toEqual([]);
  });

  test("only resellers/charge.ts moves balances, writes the ledger and counts what an API key spends", () => {
    const writes = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(credit_ledger|api_key_spending)\b|\bcredits_tenths\s*=/;
    const isApart = (path: string) => /^src\/(db|commands\/demo)\//.test(path);
    const writing = offenders(({ path, text }) => writes.test(withoutComments(text)) && !isApart(path));
    expect(writing).toEqual(["src/accounts/api-keys/api-key-store.ts", "src/resellers/charge-store.ts"]);
    expect(offenders(({ text }) => /\bcountSpent\(|from "[^"]*\/charge-store\.ts"/.test(text))).toEqual([
      "src/accounts/api-keys/api-key-store.ts",
      "src/resellers/charge.ts",
    ]);
  });

  test("only changes that several transactions make tell their audit entry as a part", () => {
    expect(offenders(({ text }) => /\binParts:/.test(withoutComments(text))).sort()).toEqual([
      "src/accounts/audited-changes.ts",
      "src/keys/selected-keys.ts",
    ]);
  });

  test("a verb is one function for all callers", () => {
    const perRole = /\b(extend|pause|resume|revoke|note|change|generate|buy|make|remove)\w*As(Admin|Reseller)\b/;
    expect(offenders(({ path, text }) => path.startsWith("src/") && perRole.test(withoutComments(text)))).toEqual([]);
  });

  test("a function that changes how a key counts in key_totals calls one that writes them, or does so itself", () => {
    const updates = /\bUPDATE\s+license_keys\b[^`]*/g;
    // Columns that the caller names may be any.
    const counted = /\bSET\s+\$\{|(?<![.\w])(expires_at|paused_at|revoked_at|game_id|reseller_id)\s*=/;
    const writesTotals = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+key_totals\b/;
    const nameOf = (piece: string) => /\b(?:function|const) (\w+)/.exec(piece)?.[1] ?? "";
    const calls = (piece: string, name: string) => nameOf(piece) !== name && new RegExp(`\\b${name}\\(`).test(piece);
    const writers = product
      .flatMap(({ text }) => declarationsIn(text))
      .filter((piece) => writesTotals.test(piece))
      .map(nameOf);
    const isInStep = (piece: string) => writesTotals.test(piece) || writers.some((name) => calls(piece, name));
    const changing = product.flatMap(({ path, text }) => {
      const pieces = declarationsIn(text);
      return pieces
        .filter((piece) => piece.match(updates)?.some((update) => counted.test(update)))
        .map((piece) => {
          // A part of another function of the file may leave the totals to that one.
          const callers = piece.startsWith("export ") ? [] : pieces.filter((each) => calls(each, nameOf(piece)));
          const isCounted = isInStep(piece) || (callers.length > 0 && callers.every(isInStep));
          return { name: `${path}: ${nameOf(piece)}`, isCounted };
        });
    });
    expect(changing.length).toBeGreaterThan(3);
    expect(changing.filter(({ isCounted }) => !isCounted)).toEqual([]);
  });

  test("a store receives its connection from the caller", () => {
    expect(offenders(({ path, text }) => /[-/]store\.ts$/.test(path) && /\bDatabase\b/.test(text))).toEqual([]);
  });

  test("only the commands know which database engine is used", () => {
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

describe("comments", () => {
  test("name only refusals that the code below can throw", () => {
    const reachable = (path: string, seen: Set<string>): Set<string> => {
      if (seen.has(path)) return seen;
      seen.add(path);
      for (const imported of byPath.get(path)?.imports ?? []) reachable(imported, seen);
      return seen;
    };
    const wrong = product.flatMap(({ path, text }) => {
      const comments = [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map(([comment]) => comment.replace(/\n\s*\*/g, " "));
      const named = comments.flatMap((comment) => [...comment.matchAll(/Throws[^.]*/g)].map(([sentence]) => sentence));
      const codes = new Set(named.flatMap((sentence) => sentence.match(/(?<=`)[A-Z]+(_[A-Z]+)*(?=`)/g) ?? []));
      if (codes.size === 0) return [];
      const code = [...reachable(path, new Set())].map((each) => withoutComments(byPath.get(each)?.text ?? "")).join();
      const isThrown = (each: string) => new RegExp(`\\b(Refusal|refused)\\(\\s*"${each}"`).test(code);
      return [...codes].filter((each) => !isThrown(each)).map((each) => `${path}: ${each}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("side effects", () => {
  const only = (pattern: RegExp, allowed: RegExp) =>
    offenders(({ path, text }) => pattern.test(withoutComments(text)) && !allowed.test(path));

  test("only main.ts reads the clock, randomness and the environment", () => {
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

  test("only islands/api contains paths of the API", () => {
    const writesPath = ({ path, text }: Source) => isIsland(path) && /(?<!\.)\/api\//.test(withoutComments(text));
    expect(offenders(writesPath).filter((path) => !path.startsWith("islands/api/"))).toEqual([]);
  });

  test("only query.ts uses useMutation, because it ignores the second press of a double press", () => {
    expect(only(/\buseMutation\b/, /^islands\/api\/query\.ts$/)).toEqual([]);
  });

  test("lazy parts use lazy.ts, because a script that React's own lazy cannot load removes its island from the page", () => {
    expect(offenders(({ text }) => /\blazy\b[^;]*from "react"/.test(text))).toEqual([]);
  });
});

describe("files", () => {
  test(`have at most ${linesPerFileMax} lines`, () => {
    expect(offenders(({ text }) => text.split("\n").length - 1 > linesPerFileMax)).toEqual([]);
  });

  test("have specific names", () => {
    expect(
      sources.map(({ path }) => path).filter((path) => bannedNames.test(path) || / /.test(basename(path))),
    ).toEqual([]);
  });

  test("contain nothing unfinished, and no test is skipped", () => {
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

  test.each(names)("%s has a patch with the fault that it finds", (name) => {
    expect(patches).toContain(`${name}.patch`);
  });

  test.each(patches)("%s belongs to a drill", (patch) => {
    expect(names).toContain(patch.split(".")[0] as string);
  });
});

/** The functions and constants of a file, each with all that is in it. */
function declarationsIn(text: string): string[] {
  return withoutComments(text).split(/^(?=(?:export )?(?:async )?function |(?:export )?const )/m);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
