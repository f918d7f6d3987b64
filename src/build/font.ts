import { join } from "node:path";
import subsetFont from "subset-font";

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
