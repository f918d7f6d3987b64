import { afterEach, beforeEach, expect } from "bun:test";
import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({ url: "http://localhost/" });

// Imported after the document exists, because testing-library looks for it when it is loaded.
const { cleanup, configure } = await import("@testing-library/react");
// The default of a second is too short on a machine that does other work as well.
configure({ asyncUtilTimeout: 10_000 });
let ownedTexts: () => string[];
beforeEach(() => {
  ownedTexts = watchOwnedTexts(document);
});
afterEach(() => {
  cleanup();
  // A translated page would break at these (runtime/jsx.ts).
  expect(ownedTexts()).toEqual([]);
});

/** Radix announces a toast in a hidden element, which it removes as a whole. */
const announcer = "span[aria-live]";

/**
 * Watches for text nodes that React owns and a translator would take from it (runtime/jsx.ts). React marks its nodes
 * with a property. Returns a function that stops watching and returns what was found.
 */
export function watchOwnedTexts(within: Node): () => string[] {
  const found = new Set<string>();
  const visit = (node: Node) => {
    if (isOwnedText(node) && !node.parentElement?.closest(announcer)) found.add(nodeText(node));
    for (const child of node.childNodes) visit(child);
  };
  const look = (records: MutationRecord[]) => {
    for (const { addedNodes } of records) for (const node of addedNodes) visit(node);
  };
  const observer = new MutationObserver(look);
  observer.observe(within, { childList: true, subtree: true });
  return () => {
    look(observer.takeRecords());
    observer.disconnect();
    return [...found];
  };
}

function isOwnedText(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && Object.keys(node).some((name) => name.startsWith("__reactFiber$"));
}

function nodeText({ textContent, parentElement }: Node): string {
  return `"${textContent}" in <${parentElement?.localName} class="${parentElement?.className}">`;
}
