import { usePreload } from "../preload.ts";
import { KeyManagement } from "./admin-keys/key-management.tsx";
import { lateTab } from "./admin-keys/late-tab.tsx";
import Manage from "./admin-keys/manage.tsx";

const loadGenerate = () => import("./admin-keys/generate.tsx");
const Generate = lateTab(loadGenerate);

/** /admin/create-keys (section 2), opened at its Manage tab. */
export default function AdminKeysManage({ search }: { search: string }) {
  usePreload(loadGenerate);
  return <KeyManagement search={search} Generate={Generate} Manage={Manage} />;
}
