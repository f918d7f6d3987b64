import type { PanelPage } from "./page.ts";

export const generateKeysPage: PanelPage = {
  path: "/reseller/generate",
  role: "reseller",
  title: "Generate Keys",
};
