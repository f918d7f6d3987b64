import { Menu } from "lucide-react";
import { useState } from "react";
import type { SessionUser } from "../../src/accounts/schema.ts";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { accountOf, useNavigation } from "./parts/navigation.ts";

/** Loaded when the menu is first opened, not with the page. */
const MenuDrawer = lazyDialog(() => import("./parts/menu-drawer.tsx"));

/** Below 768 px: the three main destinations, and a Menu drawer with the others. */
interface BottomBarProps {
  user: SessionUser;
  path: string;
  supportLink: string | null;
}

export default function BottomBar({ user, path, supportLink }: BottomBarProps) {
  const [menu, setMenu] = useState(false);
  const { first, rest } = useNavigation(user.role);
  return (
    <nav aria-label="Main" className="grid h-16 auto-cols-fr grid-flow-col">
      {first.map(({ href, label, icon: Icon }) => (
        <a key={href} href={href} aria-current={href === path ? "page" : undefined} className={itemLook}>
          <Icon size={20} className="shrink-0" />
          {label}
        </a>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={menu}
        onClick={() => setMenu(true)}
        data-current={[accountOf(user.role), ...rest.map(({ href }) => href)].includes(path) || undefined}
        className={itemLook}
      >
        <Menu size={20} className="shrink-0" />
        Menu
      </button>
      <MenuDrawer user={user} path={path} supportLink={supportLink} open={menu} onOpenChange={setMenu} />
    </nav>
  );
}

const itemLook =
  "flex min-w-0 flex-col items-center gap-1 px-1 pt-2 text-center text-xs leading-3.5 font-medium text-muted active:bg-hover aria-[current]:text-brass data-current:text-brass";
