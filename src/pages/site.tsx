import { lastRoleCookie } from "../../islands/entrance/parts/last-role.ts";
import Registration from "../../islands/entrance/registration.tsx";
import SignIn from "../../islands/entrance/sign-in.tsx";
import AdminApi from "../../islands/screens/admin-api.tsx";
import { tabIn } from "../../islands/screens/admin-keys/key-management.tsx";
import AdminKeys from "../../islands/screens/admin-keys.tsx";
import AdminKeysManage from "../../islands/screens/admin-keys-manage.tsx";
import AdminOverview from "../../islands/screens/admin-overview.tsx";
import Audit from "../../islands/screens/audit.tsx";
import Backup from "../../islands/screens/backup.tsx";
import Dashboard from "../../islands/screens/dashboard.tsx";
import GenerateKeys from "../../islands/screens/generate-keys.tsx";
import KeysOfReseller from "../../islands/screens/keys-of-reseller.tsx";
import OwnKeys from "../../islands/screens/own-keys.tsx";
import ResellerApi from "../../islands/screens/reseller-api.tsx";
import Resellers from "../../islands/screens/resellers.tsx";
import Tokens from "../../islands/screens/tokens.tsx";
import Updates from "../../islands/screens/updates.tsx";
import type { EntrancePage, PanelPage, PanelRequest } from "./page.ts";

/**
 * Every page (rules.md: Pages): where it stands, who it is for, and the island that fills it. An island's name is that of its
 * file, and so of its script.
 */
export const entrancePages: EntrancePage[] = [
  {
    path: "/",
    title: "Sign in",
    heading: "Sign in to Latchkey",
    description: "License keys for mobile games",
    needsScript: "to sign you in",
    content: ({ island, messagingLink, cookie }) => {
      const lastRole = cookie(lastRoleCookie) === "reseller" ? "reseller" : "admin";
      return island("sign-in", SignIn, { messagingLink, lastRole });
    },
  },
  {
    path: "/register",
    title: "Reseller Registration",
    heading: "Reseller Registration",
    description: "Open a reseller account with your referral token",
    needsScript: "to open your account",
    content: ({ island }) => island("registration", Registration, {}),
  },
];

export const panelPages: PanelPage[] = [
  {
    path: "/admin",
    role: "admin",
    title: "Overview",
    screen: ({ island }) => island("admin-overview", AdminOverview, {}),
  },
  {
    path: "/admin/resellers",
    role: "admin",
    title: "Manage Resellers",
    screen: ({ island, search }) => island("resellers", Resellers, { search }),
  },
  {
    path: "/admin/resellers/:id/keys",
    role: "admin",
    title: "Manage Keys",
    screen: keysOfReseller,
  },
  {
    path: "/admin/create-keys",
    role: "admin",
    title: "Key Management",
    screen: adminKeys,
  },
  {
    path: "/admin/online-updates",
    role: "admin",
    title: "Online Updates",
    screen: ({ island }) => island("updates", Updates, {}),
  },
  {
    path: "/admin/tokens",
    role: "admin",
    title: "Referral Tokens",
    screen: ({ island, search }) => island("tokens", Tokens, { search }),
  },
  {
    path: "/admin/database-backup",
    role: "admin",
    title: "Database Backup",
    screen: ({ island }) => island("backup", Backup, {}),
  },
  {
    path: "/admin/audit",
    role: "admin",
    title: "Record",
    screen: ({ island, search }) => island("audit", Audit, { search }),
  },
  {
    path: "/admin/api",
    role: "admin",
    title: "API Documentation",
    readsWithoutScript: true,
    screen: ({ island, search }) => island("admin-api", AdminApi, { search }),
  },
  {
    path: "/reseller",
    role: "reseller",
    title: "Overview",
    screen: ({ island, viewer }) => island("dashboard", Dashboard, { username: viewer.username }),
  },
  {
    path: "/reseller/generate",
    role: "reseller",
    title: "Generate Keys",
    screen: ({ island, viewer }) => island("generate-keys", GenerateKeys, { resellerId: viewer.id }),
  },
  {
    path: "/reseller/keys",
    role: "reseller",
    title: "Manage Keys",
    screen: ({ island, search }) => island("own-keys", OwnKeys, { search }),
  },
  {
    path: "/reseller/api",
    role: "reseller",
    title: "API Documentation",
    readsWithoutScript: true,
    screen: ({ island }) => island("reseller-api", ResellerApi, {}),
  },
];

async function keysOfReseller({ island, params, search, usernameOf, sayMissing }: PanelRequest) {
  const resellerId = Number(params.id);
  const username = await usernameOf(resellerId);
  if (username === null) sayMissing();
  return island("keys-of-reseller", KeysOfReseller, { resellerId, username, search });
}

/** Each tab has a script of its own, so that the first load brings no more than what is shown. */
function adminKeys({ island, search }: PanelRequest) {
  return tabIn(search) === "manage"
    ? island("admin-keys-manage", AdminKeysManage, { search })
    : island("admin-keys", AdminKeys, { search });
}
