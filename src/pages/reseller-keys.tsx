import ResellerKeys from "../../islands/screens/reseller-keys.tsx";
import type { PanelPage } from "./page.ts";

export const resellerKeysPage: PanelPage = {
  path: "/admin/resellers/:id/keys",
  role: "admin",
  title: "Manage Keys",
  screen: async ({ island, params, search, usernameOf, sayMissing }) => {
    const resellerId = Number(params.id);
    const username = await usernameOf(resellerId);
    if (username === null) sayMissing();
    return island("reseller-keys", ResellerKeys, { resellerId, username, search });
  },
};
