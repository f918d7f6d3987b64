import Keys from "../../islands/screens/keys.tsx";
import type { PanelPage } from "./page.ts";

export const keysPage: PanelPage = {
  path: "/reseller/keys",
  role: "reseller",
  title: "Manage Keys",
  screen: ({ island, search }) => island("keys", Keys, { search }),
};
