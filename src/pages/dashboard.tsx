import type { PanelPage } from "./page.ts";

export const dashboardPage: PanelPage = {
  path: "/reseller",
  role: "reseller",
  title: "Overview",
};
