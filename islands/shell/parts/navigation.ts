import {
  BookOpen,
  Gauge,
  HardDrive,
  KeyRound,
  type LucideIcon,
  Megaphone,
  SquarePlus,
  Ticket,
  Users,
} from "lucide-react";
import type { Role } from "../../../src/accounts/schema.ts";
import { useRights } from "../../runtime/rights.ts";

export interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
}

interface Navigation {
  /** In the phone's bottom bar, and first in the sidebar. */
  first: Destination[];
  /** In the phone's Menu drawer, and below the others in the sidebar. */
  rest: Destination[];
}

/** The reseller's API page is listed too, or it would not be found. */
export const navigations: Record<Role, Navigation> = {
  admin: {
    first: [
      { href: "/admin", label: "Overview", icon: Gauge },
      { href: "/admin/resellers", label: "Manage Resellers", icon: Users },
      { href: "/admin/create-keys", label: "Create Keys", icon: KeyRound },
    ],
    rest: [
      { href: "/admin/online-updates", label: "Online Updates", icon: Megaphone },
      { href: "/admin/tokens", label: "Referral Tokens", icon: Ticket },
      { href: "/admin/database-backup", label: "Database Backup", icon: HardDrive },
      { href: "/admin/api", label: "API Documentation", icon: BookOpen },
    ],
  },
  reseller: {
    first: [
      { href: "/reseller", label: "Overview", icon: Gauge },
      { href: "/reseller/generate", label: "Generate Keys", icon: SquarePlus },
      { href: "/reseller/keys", label: "Manage Keys", icon: KeyRound },
    ],
    rest: [{ href: "/reseller/api", label: "API Documentation", icon: BookOpen }],
  },
};

/** The same with only the pages that the viewer may open. */
export function useNavigation(role: Role): Navigation {
  const { first, rest } = navigations[role];
  const { mayOpen } = useRights();
  const open = [...first, ...rest].filter(({ href }) => mayOpen(href));
  return { first: open.slice(0, first.length), rest: open.slice(first.length) };
}

/** Linked from the username in the Menu drawer. */
export function accountOf(role: Role): string {
  return `/${role}/account`;
}
