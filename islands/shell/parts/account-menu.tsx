import type { RefObject } from "react";
import type { SessionUser } from "../../../src/accounts/schema.ts";
import { isPhone } from "../../runtime/media.ts";
import { useRights } from "../../runtime/rights.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import Menu from "../../ui/menu.tsx";
import { accountPages } from "./commands.ts";
import { sheetLinkLook } from "./menu-drawer.tsx";

interface AccountMenuProps extends Openable {
  user: SessionUser;
  path: string;
  button: RefObject<HTMLElement | null>;
}

/** The pages that are reached from the avatar: a menu below it, on a phone a sheet. */
export default function AccountMenu({ user, path, button, ...menu }: AccountMenuProps) {
  const { mayOpen } = useRights();
  const pages = accountPages(user.role).filter(({ href }) => mayOpen(href));
  if (!isPhone()) {
    const items = pages.map(({ label, href, icon: Icon }) => ({ label, href, icon: <Icon size={16} /> }));
    return <Menu {...menu} button={button} label={`Account of ${user.username}`} items={items} />;
  }
  return (
    <Dialog {...menu} title={<span className="block truncate">{user.username}</span>}>
      <nav aria-label="Account" className="-mx-2 grid gap-1">
        {pages.map(({ href, label, icon: Icon }) => (
          <a key={href} href={href} aria-current={href === path ? "page" : undefined} className={sheetLinkLook}>
            <Icon size={20} />
            {label}
          </a>
        ))}
      </nav>
    </Dialog>
  );
}
