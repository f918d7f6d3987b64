import {
  Coins,
  Download,
  FileCode,
  HeartPulse,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Megaphone,
  ReceiptText,
  RotateCcw,
  ScrollText,
  Share2,
  ShieldBan,
  ShieldCheck,
  Store,
  Tags,
  TicketPlus,
  Upload,
  UserRound,
  Users,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { foldedText } from "../../../src/core/text.ts";
import { signOut } from "../../api/calls/session.ts";
import type { Guarded, Needs } from "../../runtime/rights.ts";
import { attempt } from "../../runtime/storage.ts";
import { accountOf, navigations } from "./navigation.ts";

/** One line of the command bar. Its page, or the right that it needs, may be closed to the viewer. */
export interface BarOption extends Guarded {
  /** That of a command must not change between releases: recent commands are stored by it. */
  id: string;
  label: ReactNode;
  icon: LucideIcon;
  /** Below the label: why it was found, if the label does not show that. */
  reason?: string | null;
  /** Shown at the right: a status, a balance. */
  detail?: ReactNode;
  /** A link, so that it can be opened in a new tab; without one, `run` is called. The hash may name what it opens. */
  href?: string;
  run?: () => void;
}

export interface Command extends BarOption {
  label: string;
  /** Further words to find it by. */
  words?: string;
}

export interface BarGroup<Option = BarOption> {
  heading: string;
  options: Option[];
}

/** The actions that the command bar itself carries out. */
export type Runs = Record<"showShortcuts" | "exportKeys", () => void>;

/** The built-in entries of the command bar; the others come from the server (findings.tsx). */
export function commandGroups(role: Role, { showShortcuts, exportKeys }: Runs): BarGroup<Command>[] {
  const { first, rest } = navigations[role];
  const pages = [...first, ...rest].map(({ href, label, icon }) => ({ id: href, href, label, icon }));
  const apiReference = pageCommand("/swagger", "OpenAPI (Swagger)", FileCode, "api reference");
  const need = role === "admin" ? "everything" : "keys:read";
  const forBoth: Command[] = [
    { id: "export", label: "Export Keys", icon: Download, words: "download csv", run: exportKeys, need },
    pageCommand(`${accountOf(role)}#two-factor`, "Two-Factor Sign-In", ShieldCheck, "2fa authenticator"),
    { id: "shortcuts", label: "Keyboard Shortcuts", icon: Keyboard, words: "keys help", run: showShortcuts },
    { id: "sign-out", label: "Logout", icon: LogOut, words: "sign out", run: () => void signOut() },
  ];
  const sharing = [
    pageCommand(`/${role}/shared-keys`, "Keys That Seem Shared", Share2, "sharing leaked resold devices"),
    pageCommand(`/${role}/blocked-devices`, "Blocked Devices", ShieldBan, "ban unblock cheaters"),
  ];
  return [
    { heading: "Pages", options: [...pages, ...morePages[role], ...sharing, ...accountPages(role), apiReference] },
    { heading: "Actions", options: [...actions[role], ...forBoth] },
  ];
}

/** The pages that the avatar leads to. */
export function accountPages(role: Role): PageCommand[] {
  return [
    pageCommand(accountOf(role), "Account", UserRound, "password sessions profile"),
    pageCommand(`/${role}/api-keys`, "API Keys", KeyRound, "programs scopes shop bot server bearer"),
    pageCommand(`/${role}/webhooks`, "Webhooks", Webhook, "events discord telegram deliveries"),
    pageCommand(`/${role}/shop-links`, "Shop Links", Store, "sellauth sellix sales webstore deliver"),
    pageCommand(`/${role}/staff`, "Staff", Users, "helpers team rights accounts moderators"),
    ...(role === "admin" ? accountPagesOfAdmins : []),
  ];
}

const accountPagesOfAdmins = [
  pageCommand("/admin/audit", "Audit Log", ScrollText, "record history activity who"),
  pageCommand("/admin/catalogue", "Catalogue", Tags, "games durations prices lists maintenance versions"),
  pageCommand(
    "/admin/interventions",
    "Interventions",
    HeartPulse,
    "compensate pause resume outage downtime all keys undo",
  ),
  pageCommand("/admin/import", "Import Keys", Upload, "move migrate file csv json keyauth woocommerce"),
];

/** Pages that are neither in the navigation nor below the avatar. */
const morePages: Record<Role, Command[]> = {
  admin: [pageCommand("/admin/create-keys?tab=manage", "Admin Keys", KeyRound, "manage list revoke", "keys:read")],
  reseller: [
    pageCommand("/reseller/orders", "Orders", ReceiptText, "batches purchases history"),
    pageCommand("/reseller/credits", "Credits", Coins, "ledger balance money"),
  ],
};

const actions: Record<Role, Command[]> = {
  admin: [
    pageCommand("/admin/tokens#new", "Generate New Token", TicketPlus, "invite referral"),
    pageCommand("/admin/resellers#credit", "Add Credit", Coins, "grant balance money", "resellers:manage"),
    pageCommand("/admin/create-keys#reset", "Reset All Devices", RotateCcw, "keys remove", "everything"),
    pageCommand("/admin/online-updates#new", "Create Update", Megaphone, "announcement news"),
  ],
  reseller: [],
};

type PageCommand = Command & { href: string };

function pageCommand(href: string, label: string, icon: LucideIcon, words: string, need?: Needs): PageCommand {
  return { id: href, href, label, icon, words, need };
}

/**
 * The commands in which every typed word starts a word, the best first: labels that start with the text, then recent
 * ones, then the original order.
 */
export function fitting(commands: Command[], typed: string, recent: string[]): Command[] {
  const typedWords = wordsIn(typed);
  const rank = (command: Command) => {
    const used = recent.indexOf(command.id);
    const startsWithTyped = foldedText(command.label).startsWith(foldedText(typed.trim()));
    return (startsWithTyped ? 0 : 100) + (used === -1 ? recent.length : used);
  };
  return commands
    .filter(({ label, words = "" }) => {
      const own = wordsIn(`${label} ${words}`);
      return typedWords.every((word) => own.some((each) => each.startsWith(word)));
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

function wordsIn(text: string): string[] {
  return foldedText(text)
    .split(/[\s-]+/)
    .filter(Boolean);
}

const recentMax = 5;

/** The ids of the commands used in this browser, the latest first. Each role has its own. */
export function recentCommands(role: Role): string[] {
  const stored = attempt(() => localStorage.getItem(nameFor(role))) ?? "";
  return stored.split("\n").filter(Boolean);
}

export function rememberCommand(role: Role, id: string): void {
  const recent = [id, ...recentCommands(role).filter((known) => known !== id)].slice(0, recentMax);
  attempt(() => localStorage.setItem(nameFor(role), recent.join("\n")));
}

function nameFor(role: Role): string {
  return `recent-commands-${role}`;
}
