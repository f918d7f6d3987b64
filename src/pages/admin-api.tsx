import type { PanelPage } from "./page.ts";

export const adminApiPage: PanelPage = {
  path: "/admin/api",
  role: "admin",
  title: "API Documentation",
};
