import ResellerApiScreen from "../../islands/screens/reseller-api.tsx";
import type { PanelPage } from "./page.ts";

export const resellerApiPage: PanelPage = {
  path: "/reseller/api",
  role: "reseller",
  title: "API Documentation",
  readsWithoutScript: true,
  screen: ({ island }) => island("reseller-api", ResellerApiScreen, {}),
};
