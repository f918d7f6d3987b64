import AdminOverview from "../../islands/screens/admin-overview.tsx";
import type { PanelPage } from "./page.ts";

export const adminOverviewPage: PanelPage = {
  path: "/admin",
  role: "admin",
  title: "Overview",
  screen: ({ island }) => island("admin-overview", AdminOverview, {}),
};
