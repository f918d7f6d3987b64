import { usePreload } from "../runtime/preload.ts";
import Generate from "./admin-keys/generate.tsx";
import { KeyManagement } from "./admin-keys/key-management.tsx";
import { lazyTab } from "./admin-keys/lazy-tab.tsx";

const loadManage = () => import("./admin-keys/manage.tsx");
const Manage = lazyTab(loadManage);

/** /admin/create-keys, opened at its Generate tab. */
export default function AdminKeys({ search }: { search: string }) {
  usePreload(loadManage);
  return <KeyManagement search={search} Generate={Generate} Manage={Manage} />;
}
