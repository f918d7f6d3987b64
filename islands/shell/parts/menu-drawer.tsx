import { ChevronRight, LifeBuoy, LogOut } from "lucide-react";
import type { SessionUser } from "../../../src/accounts/schema.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { Avatar, SignOutButton } from "./account-parts.tsx";
import { accountOf, useNavigation } from "./navigation.ts";

interface MenuDrawerProps extends Openable {
  user: SessionUser;
  path: string;
  supportLink: string | null;
}

export default function MenuDrawer({ user, path, supportLink, ...dialog }: MenuDrawerProps) {
  const { rest } = useNavigation(user.role);
  const position = user.rights ? "Staff" : user.role === "admin" ? "Administrator" : "Reseller";
  return (
    <Dialog {...dialog} title="Menu">
      {/* A phone's header has no room for the username. */}
      <div className="-mx-2 mb-2 border-b border-line pb-2">
        <a
          href={accountOf(user.role)}
          aria-current={path === accountOf(user.role) ? "page" : undefined}
          className="flex min-h-14 items-center gap-3 rounded-md px-2 hover:bg-hover aria-[current]:bg-hover"
        >
          <Avatar username={user.username} />
          <span className="min-w-0 grow leading-tight">
            <span className="sr-only">Account of </span>
            <span translate="no" className="block truncate font-medium">
              {user.username}
            </span>
            <span className="block text-sm text-muted">{position}</span>
          </span>
          <ChevronRight size={18} className="shrink-0 text-faint" />
        </a>
      </div>
      <nav aria-label="More" className="-mx-2 grid gap-1">
        {rest.map(({ href, label, icon: Icon }) => (
          <a key={href} href={href} aria-current={href === path ? "page" : undefined} className={sheetLinkLook}>
            <Icon size={20} />
            {label}
          </a>
        ))}
        {supportLink && (
          <a href={supportLink} target="_blank" rel="noopener noreferrer" className={sheetLinkLook}>
            <LifeBuoy size={20} />
            Support
          </a>
        )}
      </nav>
      <div className="-mx-2 mt-2 border-t border-line pt-2">
        <SignOutButton
          size="large"
          wide
          icon={<LogOut size={20} />}
          className="justify-start! gap-3! px-3! text-danger-text!"
        >
          Sign Out
        </SignOutButton>
      </div>
    </Dialog>
  );
}

/** A page in a sheet. */
export const sheetLinkLook =
  "flex min-h-12 items-center gap-3 rounded-md px-3 font-medium text-muted hover:bg-hover hover:text-text aria-[current]:bg-hover aria-[current]:text-text";
