import type { Page } from "playwright-core";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Evaluated, once in each document, and not added as a script element, which the page's policy refuses. */
const source = Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** What axe has against the page, one line for each element. What moves is not judged: colours in between are nobody's choice. */
export async function accessProblems(page: Page): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await source);
  const violations = await page.evaluate(async (tags): Promise<Finding[]> => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<{ violations: Finding[] }> } };
    // What passes is not described, which took a quarter of its time.
    return (await axe.run({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })).violations;
  }, rules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
