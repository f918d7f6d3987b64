import { dirname, join } from "node:path";
import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";
import subsetFont from "subset-font";

/**
 * The panel's style sheet: `islands/styles.css` with only the classes that islands and pages use. `font` is the address
 * of the font.
 */
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
 * The styles of /swagger: those of its viewer, and ours. Theirs are in a layer, so that ours win, and without
 * `!important`, which would win from inside a layer and which the viewer needs only against its own styles.
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

/** Digits of equal width, and kerning. No other features are used. */
const features = ["tnum", "kern"];

/** ASCII and Latin-1, for people's texts, and the other characters of the panel's own texts. */
const characters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’“”…•→←`;

/**
 * The panel's font without unused characters and features, a quarter of its size, and the licence that must accompany
 * it. It comes from Fontsource, because the makers' own package depends on a web framework.
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
    // Hints only matter on old screens.
    noHinting: true,
  });
  return { font, licence };
}

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
