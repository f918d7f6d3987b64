import { tabIn } from "../../islands/screens/admin-keys/tab.ts";
import AdminKeys from "../../islands/screens/admin-keys.tsx";
import AdminKeysManage from "../../islands/screens/admin-keys-manage.tsx";
import type { PanelPage } from "./page.ts";

/** Each tab has a script of its own, so that the first load brings no more than what is shown. */
export const adminKeysPage: PanelPage = {
  path: "/admin/create-keys",
  role: "admin",
  title: "Key Management",
  screen: ({ island, search }) =>
    tabIn(search) === "manage"
      ? island("admin-keys-manage", AdminKeysManage, { search })
      : island("admin-keys", AdminKeys, { search }),
};
