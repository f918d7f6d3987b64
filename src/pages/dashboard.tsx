import Dashboard from "../../islands/screens/dashboard.tsx";
import type { PanelPage } from "./page.ts";

export const dashboardPage: PanelPage = {
  path: "/reseller",
  role: "reseller",
  title: "Overview",
  screen: ({ island, viewer }) => island("dashboard", Dashboard, { username: viewer.username }),
};
