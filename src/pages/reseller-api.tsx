import type { PanelPage } from "./page.ts";

export const resellerApiPage: PanelPage = {
  path: "/reseller/api",
  role: "reseller",
  title: "API Documentation",
};
