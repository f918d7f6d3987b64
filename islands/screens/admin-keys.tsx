import { usePreload } from "../runtime/preload.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import Generate from "./admin-keys/generate.tsx";
import { KeyManagement, tabSkeleton } from "./admin-keys/key-management.tsx";

const loadManage = () => import("./admin-keys/manage.tsx");
const Manage = lazyPart(loadManage, tabSkeleton);

/** /admin/create-keys, opened at its Generate tab. */
export default function AdminKeys({ search }: { search: string }) {
  usePreload(loadManage);
  return <KeyManagement search={search} Generate={Generate} Manage={Manage} />;
}
