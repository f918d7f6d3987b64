import type { PanelPage } from "./page.ts";

export const tokensPage: PanelPage = {
  path: "/admin/tokens",
  role: "admin",
  title: "Referral Tokens",
};
