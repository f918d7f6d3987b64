import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Coins, LogOut } from "lucide-react";
import { useRef, useState } from "react";
import type { SessionUser } from "../../src/accounts/schema.ts";
import { profileNeeds, profileQuery } from "../api/calls/session.ts";
import { fetchedAhead } from "../runtime/preload.ts";
import { useRights } from "../runtime/rights.ts";
import { Badge } from "../ui/badge.tsx";
import { PageLink } from "../ui/button.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { Avatar, SignOutButton } from "./parts/account-parts.tsx";
import { CommandButton } from "./parts/command-button.tsx";
import { Credits } from "./parts/credits.tsx";

const AccountMenu = lazyDialog(() => import("./parts/account-menu.tsx"));

interface HeaderProps {
  user: SessionUser;
  path: string;
  /** Of the panel. */
  name: string;
  logo: string;
}

export default function Header({ user, path, name, logo }: HeaderProps) {
  return (
    <div className="flex h-full items-center gap-2 pr-1.5 pl-4 sm:gap-3 sm:pr-4">
      <a
        href={`/${user.role}`}
        className="touch flex min-h-(--hit) min-w-6.5 items-center gap-2.5 rounded-md font-semibold tracking-tight"
      >
        <img src={logo} alt="" width={26} height={26} className="shrink-0 object-contain" />
        <span
          translate="no"
          className={clsx("truncate text-lg", user.role === "admin" ? "max-[22.5rem]:sr-only" : "max-[26rem]:sr-only")}
        >
          {name}
        </span>
      </a>
      <Badge tone="plain">{user.role === "admin" ? "Admin" : "Reseller"}</Badge>
      <div className="flex min-w-0 grow items-center justify-end gap-2 sm:gap-4">
        {useRights().may(profileNeeds) && user.role === "reseller" && <HeaderCredits />}
        <CommandButton role={user.role} />
        <AccountButton user={user} path={path} />
        {/* On phones an icon with a name. */}
        <SignOutButton icon={<LogOut size={16} />}>
          <span className="max-sm:sr-only">Logout</span>
        </SignOutButton>
      </div>
    </div>
  );
}

/** Opens the account's pages. The narrowest phones have Account in the Menu drawer. */
function AccountButton({ user, path }: { user: SessionUser; path: string }) {
  const { username, role, rights } = user;
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        {...fetchedAhead(AccountMenu.load)}
        className={clsx(
          "-mx-1.5 flex min-h-(--hit) min-w-0 items-center gap-2.5 rounded-md px-1.5 text-left transition-colors hover:bg-hover aria-expanded:bg-hover",
          role === "admin" ? "max-[22.5rem]:hidden" : "max-[24rem]:hidden",
        )}
      >
        <Avatar username={username} />
        <span className="min-w-0 leading-tight max-sm:sr-only">
          <span className="sr-only">Account of </span>
          <span translate="no" className="block max-w-40 truncate text-sm font-medium">
            {username}
          </span>
          {role === "admin" && <span className="block text-xs text-muted">{rights ? "Staff" : "Administrator"}</span>}
        </span>
      </button>
      <AccountMenu open={open} onOpenChange={setOpen} button={button} user={user} path={path} />
    </>
  );
}

/** Hidden until loaded: its width is unknown before, and what is next to it must not move. */
function HeaderCredits() {
  const { isPending } = useQuery(profileQuery);
  return (
    <PageLink
      href="/reseller/credits"
      className={clsx(
        "-mx-1.5 flex min-h-(--hit) items-center gap-1.5 rounded-md px-1.5 text-sm font-medium transition-colors hover:bg-hover",
        isPending && "invisible",
      )}
      title="Available Credits"
    >
      <Coins size={16} className="text-muted max-[22.5rem]:hidden" />
      <Credits />
      <span className="text-muted max-sm:sr-only">credits</span>
    </PageLink>
  );
}
