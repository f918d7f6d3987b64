import type { BrowserContext } from "playwright-core";

/** When the browser translates the page: while it is parsed, or once it is hydrated. */
export type TranslationStart = "before hydration" | "after hydration";

/**
 * Translates each page as Chrome does: every text node, also a new or changed one, is replaced by two `<font>` elements
 * with a new text. The zero-width space that makes the text differ is ignored by Playwright.
 */
export async function translatePages(context: BrowserContext, start: TranslationStart): Promise<void> {
  await context.addInitScript((isEarly) => {
    const untranslated = "script, style, noscript, textarea, svg, head, [translate=no], font font";
    const translate = (node: Node) => {
      if (node instanceof Text) replace(node);
      else if (!(node instanceof Element && node.matches(untranslated)))
        for (const child of [...node.childNodes]) translate(child);
    };
    const replace = (text: Text) => {
      if (text.data.trim() === "" || !text.parentElement || text.parentElement.closest(untranslated)) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = `${text.data}\u200b`;
      outer.append(inner);
      text.replaceWith(outer);
    };
    const observer = new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [target, ...addedNodes]) if (node instanceof Text || node !== target) translate(node);
    });
    const begin = () => {
      translate(document);
      observer.observe(document, { childList: true, characterData: true, subtree: true });
    };
    if (isEarly) return begin();
    const isReady = () =>
      document.querySelector("[data-island]") && !document.querySelector("[data-island]:not([data-ready])");
    const waiting = new MutationObserver(() => {
      if (!isReady()) return;
      waiting.disconnect();
      begin();
    });
    waiting.observe(document, { attributes: true, childList: true, subtree: true });
  }, start === "before hydration");
}
