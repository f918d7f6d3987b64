import Resellers from "../../islands/screens/resellers.tsx";
import type { PanelPage } from "./page.ts";

export const resellersPage: PanelPage = {
  path: "/admin/resellers",
  role: "admin",
  title: "Manage Resellers",
  screen: ({ island, search }) => island("resellers", Resellers, { search }),
};
