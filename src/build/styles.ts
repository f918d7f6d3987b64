import { join } from "node:path";
import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";

/** The one style sheet: `islands/styles.css`, with the classes that islands and pages use and no others. `font` is where that is served. */
export async function buildStyles(root: string, { font }: { font: string }): Promise<Uint8Array> {
  const entry = join(root, "islands/styles.css");
  const compiler = await compile(await Bun.file(entry).text(), {
    base: join(root, "islands"),
    onDependency: () => {},
  });
  const scanner = new Scanner({
    sources: [
      { base: join(root, "islands"), pattern: "**/*.{ts,tsx}", negated: false },
      { base: join(root, "src/pages"), pattern: "**/*.{ts,tsx}", negated: false },
      { base: root, pattern: "**/*.test.{ts,tsx}", negated: true },
    ],
  });
  const styles = compiler.build(scanner.scan()).replace('url("geist.woff2")', `url("${font}")`);
  const { code } = optimize(styles, { file: entry, minify: true });
  return new TextEncoder().encode(code);
}
