import { usePreload } from "../runtime/preload.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { KeyManagement, tabSkeleton } from "./admin-keys/key-management.tsx";
import Manage from "./admin-keys/manage.tsx";

const loadGenerate = () => import("./admin-keys/generate.tsx");
const Generate = lazyPart(loadGenerate, tabSkeleton);

/** /admin/create-keys, opened at its Manage tab. */
export default function AdminKeysManage({ search }: { search: string }) {
  usePreload(loadGenerate);
  return <KeyManagement search={search} Generate={Generate} Manage={Manage} />;
}
