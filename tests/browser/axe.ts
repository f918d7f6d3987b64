import type { Page } from "playwright-core";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Axe {
  configure: (how: object) => void;
  run: (
    context: { include: Node[]; exclude: Node[] },
    options: object,
  ) => Promise<{ violations: { id: string; nodes: { element: Element }[] }[] }>;
}

/** Evaluated once per document, because the page's policy forbids adding a script element. */
const source = Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

interface Finding {
  id: string;
  html: string[];
}

/**
 * Returns axe's findings, one line per element. Waits for animations to end, because colours are wrong during them.
 * After filters change, call `settled` first, because a list is dimmed while it refreshes.
 */
export async function accessProblems(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await source);
  const violations = await page.evaluate(async (tags): Promise<Finding[]> => {
    const { axe } = window as unknown as { axe: Axe };
    // Otherwise it writes the HTML of every element that it checks, which takes a quarter of the time.
    axe.configure({ noHtml: true });
    // Removes rows that differ from two others only in their texts: a list of thirty rows took twice as long as one of
    // four.
    const alike = new Map<string, number>();
    const repeated = [...document.querySelectorAll("tbody tr")].filter((row) => {
      const shape = row.outerHTML
        .replaceAll(/>[^<]+</g, ">text<")
        .replaceAll(/ (id|href|title|datetime|aria-label|data-[a-z-]+)="[^"]+"/g, " $1");
      alike.set(shape, (alike.get(shape) ?? 0) + 1);
      return (alike.get(shape) ?? 0) > 2;
    });
    // Reporting passed rules would take a quarter of the time.
    const options = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"], elementRef: true };
    const { violations: found } = await axe.run({ include: [document], exclude: repeated }, options);
    return found.map(({ id, nodes }) => ({ id, html: nodes.map(({ element }) => element.outerHTML.slice(0, 300)) }));
  }, rules);
  return violations.flatMap(({ id, html }) => html.map((each) => `${id}: ${each}`));
}
