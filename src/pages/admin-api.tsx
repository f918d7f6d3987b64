import AdminApiScreen from "../../islands/screens/admin-api.tsx";
import type { PanelPage } from "./page.ts";

export const adminApiPage: PanelPage = {
  path: "/admin/api",
  role: "admin",
  title: "API Documentation",
  readsWithoutScript: true,
  screen: ({ island, search }) => island("admin-api", AdminApiScreen, { search }),
};
