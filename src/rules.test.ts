import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { createAuditedChanges } from "./accounts/audited-changes.ts";
import { createWrongPasswords } from "./accounts/passwords/wrong-passwords.ts";
import { commands } from "./commands/commands.ts";
import { msPerMinute } from "./core/clock.ts";
import { creditsOf } from "./core/credits.ts";
import { applyMissing } from "./db/migrate/applied-migrations.ts";
import { releasedMigrations } from "./db/migrate/migrations.ts";
import { actions } from "./facts/audit-entry.ts";
import { statusOf } from "./http/errors.ts";
import type { RateLimit } from "./http/rate-limit.ts";
import { createRegistration } from "./resellers/registration.ts";
import { createSales } from "./shop-links/sales.ts";
import { createThrottle } from "./verify/throttle.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

/** Compares the documents, and all references to docs/rules.md, with the code. */
const root = join(import.meta.dir, "..");
const self = "src/rules.test.ts";

const code = filesOf("{src,islands,tests,migrations}/**/*.{ts,tsx,css,sql}").filter(({ path }) => path !== self);
const pages = filesOf("*.md", "docs/**/*.md");
const rules = textOf("docs/rules.md");

interface Text {
  path: string;
  text: string;
}

function filesOf(...patterns: string[]): Text[] {
  return patterns.flatMap((pattern) => {
    const paths = [...new Bun.Glob(pattern).scanSync({ cwd: root })].filter((path) => !path.includes("artifacts"));
    if (paths.length === 0) throw new Error(`No file matches ${pattern}, so nothing would be checked.`);
    return paths.map((path) => ({ path, text: textOf(path) }));
  });
}

function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function headingsIn(text: string): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
}

/** Files that these texts name, by this pattern, and that do not exist. */
function missing(texts: Text[], naming: RegExp): string[] {
  return texts.flatMap(({ path, text }) =>
    [...text.matchAll(naming)]
      .filter(([, name = ""]) => !existsSync(join(root, name)))
      .map(([, name]) => `${path}: ${name}`),
  );
}

/** The anchor that viewers of Markdown give a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

describe("references to rules", () => {
  test("name a heading of docs/rules.md, on one line", () => {
    const headings = new Set(headingsIn(rules));
    const dangling = code.flatMap(({ path, text }) =>
      [...text.matchAll(/\brules\.md: ?([^).;,"`\n]*)/g)]
        .filter(([, heading = ""]) => !headings.has(heading))
        .map(([reference]) => `${path}: ${reference}`),
    );
    expect(dangling).toEqual([]);
  });

  test("lead to no text that is not in this repository", () => {
    const elsewhere =
      /\b(decisions|interface|quality|architecture|specification)\.md\b|\bsections? ?\d|\bthe specification\b/i;
    const wrong = code.flatMap(({ path, text }) =>
      text
        .split("\n")
        .filter((line) => elsewhere.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe("docs/rules.md", () => {
  test("gives no two headings the same anchor", () => {
    const anchors = headingsIn(rules).map(anchorOf);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  test("has every code of a failure, with its status", () => {
    const written = [...rules.matchAll(/^\| (\d{3}) \| ([^|]*) \|/gm)].flatMap(([, status, codes = ""]) =>
      [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => [name, Number(status)]),
    );
    expect(Object.fromEntries(written)).toEqual(statusOf);
  });

  test("has every limit, with its tries and minutes", () => {
    const limits: Record<string, [number, number]> = {};
    const createRateLimit = (limit: { name: string; triesMax: number; windowMs: number }): RateLimit => {
      limits[limit.name] = [limit.triesMax, limit.windowMs / msPerMinute];
      return { take: () => null, giveBack: async () => {}, waitSeconds: () => null };
    };
    const unused = {} as never;
    const others = { database: unused, changes: unused, passwords: unused, tokens: unused, now: () => 0 };
    createAuditedChanges({ ...others, createRateLimit });
    createWrongPasswords({ ...others, createRateLimit });
    createThrottle({ createRateLimit });
    createRegistration({ ...others, createRateLimit });
    const ofWebhooks = { seal: unused, allowPrivate: false, deliver: () => {}, randomBytes: unused };
    createWebhooks({ ...others, ...ofWebhooks, createRateLimit });
    createSales({ ...others, purchase: unused, seal: unused, createPace: () => async () => false, createRateLimit });
    const written = [...rules.matchAll(/^\| `(\w+)`: [^|]* \| (\d+) \| (\d+) \|$/gm)];
    expect(
      Object.fromEntries(written.map(([, name, tries, minutes]) => [name, [Number(tries), Number(minutes)]])),
    ).toEqual(limits);
  });

  test("has every seeded price", async () => {
    const row = (label: string) =>
      rules
        .match(new RegExp(`^\\| ${label} \\| (.*) \\|$`, "m"))?.[1]
        ?.split(" | ")
        .map(Number);
    const connection = new Connection(":memory:");
    applyMissing(connection, releasedMigrations(), () => 0);
    const seeded = connection
      .query(
        "SELECT DISTINCT hours / 24, credits_tenths FROM prices p JOIN durations d ON d.id = p.duration_id ORDER BY 1",
      )
      .values() as [number, number][];
    expect(row("Days")).toEqual(seeded.map(([days]) => days));
    expect(row("Credits per key")).toEqual(seeded.map(([, tenths]) => creditsOf(tenths)));
  });

  test("has every action of the audit log", () => {
    const [, section = ""] = rules.match(/^### Audit entries\n([\s\S]*?)^- /m) ?? [];
    expect([...section.matchAll(/`(\w+)`/g)].map(([, action]) => action)).toEqual([...actions]);
  });
});

test("docs/rules.md quotes only what the product says", () => {
  const said = filesOf("src/**/*.{ts,tsx}", "islands/**/*.{ts,tsx}")
    .filter(({ path }) => !path.includes(".test."))
    .map(({ text }) => text.replace(/\s+/g, " "));
  const [, ...chapters] = rules.replace(/\s+/g, " ").split(" ## ");
  const quoted = new Set([...chapters.join(" ").matchAll(/“([^”]+)”/g)].map(([, words = ""]) => words));
  const unsaid = [...quoted].filter((words) => !said.some((text) => wordingOf(words).test(text)));
  expect(unsaid).toEqual([]);
});

/** In the code, an expression stands for a figure, an N or a {brace}. */
function wordingOf(words: string): RegExp {
  const fixed = words.split(/\d[\d,]*|\{[^}]*\}|\b[NXY]\b/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(fixed.join("[^<>;]{0,60}?"));
}

describe("what is written", () => {
  test("links to pages and headings that are there", () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
        .filter(([, file = "", anchor]) => {
          const target = file === "" ? path : normalize(join(dirname(path), file));
          if (!existsSync(join(root, target))) return true;
          return anchor !== undefined && !headingsIn(textOf(target)).map(anchorOf).includes(anchor);
        })
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test("names files that are there", () => {
    const file = /`((?:src|islands|tests|migrations|public|docs)\/[\w./-]+\.\w+)`/g;
    const page = /\b(docs\/[\w./-]+\.md)\b/g;
    expect([...missing(pages, file), ...missing(code, page)]).toEqual([]);
  });

  test("lists every command in the operator's handbook", () => {
    const handbook = textOf("docs/operating.md");
    expect(Object.keys(commands).filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
  });

  test("lists every section of the operator's handbook at its top", () => {
    const handbook = textOf("docs/operating.md");
    const sections = [...handbook.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
    const [top = ""] = handbook.split("\n## ");
    expect(sections.filter((anchor) => !top.includes(`](#${anchor})`))).toEqual([]);
  });

  test("lists every event of the log in the operator's handbook", () => {
    const handbook = textOf("docs/operating.md");
    const events = code.flatMap(({ path, text }) =>
      /^src\/(?!.*\.test\.)/.test(path) ? [...text.matchAll(/\bevent: "(\w+)"/g)].map(([, name = ""]) => name) : [],
    );
    expect(events).toContain("server_failed");
    expect(events.filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
  });

  test("lists every decision", () => {
    const list = textOf("docs/decisions/README.md");
    const records = filesOf("docs/decisions/*.md").map(({ path }) => basename(path));
    expect(records.filter((name) => name !== "README.md" && !list.includes(`](${name})`))).toEqual([]);
  });
});
