import { afterEach, beforeEach, expect } from "bun:test";
import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({ url: "http://localhost/" });

// Imported after the document exists, because testing-library looks for it when it is loaded.
const { cleanup, configure } = await import("@testing-library/react");
const { watchOwnedTexts } = await import("./owned-texts.ts");
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
