import Tokens from "../../islands/screens/tokens.tsx";
import type { PanelPage } from "./page.ts";

export const tokensPage: PanelPage = {
  path: "/admin/tokens",
  role: "admin",
  title: "Referral Tokens",
  screen: ({ island, search }) => island("tokens", Tokens, { search }),
};
