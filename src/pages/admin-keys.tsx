import type { PanelPage } from "./page.ts";

export const adminKeysPage: PanelPage = {
  path: "/admin/create-keys",
  role: "admin",
  title: "Key Management",
};
