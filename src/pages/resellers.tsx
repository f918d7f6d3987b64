import type { PanelPage } from "./page.ts";

export const resellersPage: PanelPage = {
  path: "/admin/resellers",
  role: "admin",
  title: "Manage Resellers",
};
