import type { PanelPage } from "./page.ts";

export const resellerKeysPage: PanelPage = {
  path: "/admin/resellers/:id/keys",
  role: "admin",
  title: "Manage Keys",
};
