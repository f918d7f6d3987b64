import { dirname, join } from "node:path";
import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";
import subsetFont from "subset-font";

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

const weights = { min: 400, max: 600 };

/** Figures of one width, and letters that stand well beside each other. What else the font can do is nowhere asked for. */
const features = ["tnum", "kern"];

/** ASCII and Latin-1, for what people write, and the signs that the panel's own words have beside those. */
const characters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’“”…•→←`;

/**
 * The panel's font, cut to what is used of it: a quarter of its size. Its licence goes wherever it goes. It comes from Fontsource, whose
 * package is the font alone; the makers' own asks for a web framework.
 */
export async function cutFont(root: string): Promise<{ font: Uint8Array; licence: Uint8Array }> {
  const folder = join(root, "node_modules/@fontsource-variable/geist");
  const [whole, licence] = await Promise.all([
    Bun.file(join(folder, "files/geist-latin-wght-normal.woff2")).bytes(),
    Bun.file(join(folder, "LICENSE")).bytes(),
  ]);
  const font = await subsetFont(Buffer.from(whole), characters, {
    targetFormat: "woff2",
    variationAxes: { wght: weights },
    keepFeatures: features,
    // Hints are for screens of another time.
    noHinting: true,
  });
  return { font, licence };
}

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
