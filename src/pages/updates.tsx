import Updates from "../../islands/screens/updates.tsx";
import type { PanelPage } from "./page.ts";

export const updatesPage: PanelPage = {
  path: "/admin/online-updates",
  role: "admin",
  title: "Online Updates",
  screen: ({ island }) => island("updates", Updates, {}),
};
