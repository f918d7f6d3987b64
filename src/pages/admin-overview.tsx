import type { PanelPage } from "./page.ts";

export const adminOverviewPage: PanelPage = {
  path: "/admin",
  role: "admin",
  title: "Overview",
};
