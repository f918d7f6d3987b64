import type { PanelPage } from "./page.ts";

export const keysPage: PanelPage = {
  path: "/reseller/keys",
  role: "reseller",
  title: "Manage Keys",
};
