import { usePreload } from "../runtime/preload.ts";
import { KeyManagement } from "./admin-keys/key-management.tsx";
import { lazyTab } from "./admin-keys/lazy-tab.tsx";
import Manage from "./admin-keys/manage.tsx";

const loadGenerate = () => import("./admin-keys/generate.tsx");
const Generate = lazyTab(loadGenerate);

/** /admin/create-keys, opened at its Manage tab. */
export default function AdminKeysManage({ search }: { search: string }) {
  usePreload(loadGenerate);
  return <KeyManagement search={search} Generate={Generate} Manage={Manage} />;
}
