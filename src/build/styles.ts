import { dirname, join } from "node:path";
import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";

/** The panel's one style sheet: `islands/styles.css`, with the classes that islands and pages use and no others. `font` is where that is served. */
export function buildStyles(root: string, { font }: { font: string }): Promise<Uint8Array> {
  const scanner = new Scanner({
    sources: [
      { base: join(root, "islands"), pattern: "**/*.{ts,tsx}", negated: false },
      { base: join(root, "src/pages"), pattern: "**/*.{ts,tsx}", negated: false },
      { base: root, pattern: "**/*.test.{ts,tsx}", negated: true },
    ],
  });
  return compiled(join(root, "islands/styles.css"), { font, words: scanner.scan() });
}

/**
 * What /swagger looks like: its viewer's own styles, and ours, which beat them because theirs stand in a layer. There what is important
 * would beat everything outside; the viewer needs it only against itself.
 */
export async function buildViewerStyles(root: string, { font }: { font: string }): Promise<Uint8Array> {
  const [theirs, ours] = await Promise.all([
    Bun.file(join(root, "node_modules/swagger-ui-dist/swagger-ui.css")).text(),
    compiled(join(root, "src/swagger/viewer.css"), { font, words: [] }),
  ]);
  const withoutMap = theirs.replaceAll("!important", "").replace(/\/\*# sourceMappingURL.*/, "");
  return new TextEncoder().encode(`@layer viewer{${withoutMap}}\n${new TextDecoder().decode(ours)}`);
}

async function compiled(entry: string, { font, words }: { font: string; words: string[] }): Promise<Uint8Array> {
  const compiler = await compile(await Bun.file(entry).text(), { base: dirname(entry), onDependency: () => {} });
  const { code } = optimize(compiler.build(words).replace('url("geist.woff2")', `url("${font}")`), {
    file: entry,
    minify: true,
  });
  return new TextEncoder().encode(code);
}
