import type { ComponentType } from "react";
import Registration from "../../islands/auth/registration.tsx";
import SignIn from "../../islands/auth/sign-in.tsx";
import Account from "../../islands/screens/account.tsx";
import AdminApi from "../../islands/screens/admin-api.tsx";
import { tabIn } from "../../islands/screens/admin-keys/key-management.tsx";
import AdminKeys from "../../islands/screens/admin-keys.tsx";
import AdminKeysManage from "../../islands/screens/admin-keys-manage.tsx";
import AdminOverview from "../../islands/screens/admin-overview.tsx";
import ApiKeys from "../../islands/screens/api-keys.tsx";
import Audit from "../../islands/screens/audit.tsx";
import Backup from "../../islands/screens/backup.tsx";
import BlockedDevices from "../../islands/screens/blocked-devices.tsx";
import Catalogue from "../../islands/screens/catalogue.tsx";
import Dashboard from "../../islands/screens/dashboard.tsx";
import GenerateKeys from "../../islands/screens/generate-keys.tsx";
import ImportScreen from "../../islands/screens/import.tsx";
import Interventions from "../../islands/screens/interventions.tsx";
import KeyPage from "../../islands/screens/key-page.tsx";
import KeysOfReseller from "../../islands/screens/keys-of-reseller.tsx";
import OneReseller from "../../islands/screens/one-reseller.tsx";
import OrderPage from "../../islands/screens/order-page.tsx";
import OwnCredits from "../../islands/screens/own-credits.tsx";
import OwnKeys from "../../islands/screens/own-keys.tsx";
import OwnOrders from "../../islands/screens/own-orders.tsx";
import ResellerApi from "../../islands/screens/reseller-api.tsx";
import Resellers from "../../islands/screens/resellers.tsx";
import SharedKeys from "../../islands/screens/shared-keys.tsx";
import ShopLinks from "../../islands/screens/shop-links.tsx";
import Staff from "../../islands/screens/staff.tsx";
import Tokens from "../../islands/screens/tokens.tsx";
import Updates from "../../islands/screens/updates.tsx";
import Webhooks from "../../islands/screens/webhooks.tsx";
import { LinkButton } from "../../islands/ui/button.tsx";
import { Card } from "../../islands/ui/card.tsx";
import { PageHeading } from "../../islands/ui/page-heading.tsx";
import { type Role, resellerIdOf } from "../accounts/schema.ts";
import type { EntrancePage, EntrancePath, PanelPage, PanelRequest, ScreenRequest } from "./page.ts";
import { SdkSection } from "./sdk-section.tsx";

/**
 * Every page (rules.md: Pages) and the island that fills it. `page.ts` has the pages' addresses and roles. An island
 * has the name of its file, which is also the name of its script.
 */
export const entrancePages: Record<EntrancePath, EntrancePage> = {
  "/": {
    title: "Sign in",
    heading: (panel) => `Sign in to ${panel}`,
    description: "License keys for mobile games",
    needsScript: "to sign you in",
    content: ({ island, messagingLink, lastRole }) => island("sign-in", SignIn, { messagingLink, lastRole }),
  },
  "/register": {
    title: "Reseller Registration",
    heading: () => "Reseller Registration",
    description: "Create a reseller account with your referral token",
    needsScript: "to create your account",
    content: ({ island }) => island("registration", Registration, {}),
  },
};

/** What each island may read. Pages of one's own account may ask for its password, lists have filters in the address. */
type Island = ComponentType<{ area: Role; username: string; search: string; id: string }>;

function page(title: PanelPage["title"], name: string, Island: Island, under?: PanelPage["under"]): PanelPage {
  const screen: PanelPage["screen"] = ({ island, viewer: { role, username }, search, id }) =>
    island(name, Island, { area: role, username, search, id });
  return { title, under, screen };
}

/* Pages that both areas have. */

const key = page("Key", "key-page", KeyPage, ownersItem);
const order = page(({ id }) => `Order ${id}`, "order-page", OrderPage, ownersItem);
const account = page("Account", "account", Account);
const apiKeys = page("API Keys", "api-keys", ApiKeys);
const shopLinks = page("Shop Links", "shop-links", ShopLinks);
const staff = page("Staff", "staff", Staff);
const webhooks = page("Webhooks", "webhooks", Webhooks);
const blockedDevices = page("Blocked Devices", "blocked-devices", BlockedDevices, ownersItem);
const sharedKeys = page("Keys That Seem Shared", "shared-keys", SharedKeys, ownersItem);

export const panelPages: Record<PanelRequest["page"], PanelPage> = {
  "/admin": {
    title: "Overview",
    screen: ({ island, mayGuide, pauses, sharedKeys }) =>
      island("admin-overview", AdminOverview, { mayGuide, pauses, sharedKeys }),
  },
  "/admin/resellers": page("Manage Resellers", "resellers", Resellers),
  "/admin/resellers/:id/keys": {
    title: ({ username }) => (username === null ? "Manage Keys" : `Manage Keys of ${username}`),
    under: "/admin",
    screen: ({ island, id, username, search }) =>
      island("keys-of-reseller", KeysOfReseller, { resellerId: id, username, search }),
  },
  "/admin/resellers/:id": {
    title: ({ username }) => username ?? "Reseller",
    under: "/admin/resellers",
    screen: ({ island, id, username, search }) => island("one-reseller", OneReseller, { id: id, username, search }),
  },
  "/admin/orders/:id": order,
  "/admin/create-keys": {
    title: "Key Management",
    screen: adminKeys,
  },
  "/admin/blocked-devices": blockedDevices,
  "/admin/shared-keys": sharedKeys,
  "/admin/catalogue": page("Catalogue", "catalogue", Catalogue, "/admin/create-keys"),
  "/admin/interventions": page("Interventions", "interventions", Interventions, "/admin/create-keys"),
  "/admin/keys/:id": key,
  "/admin/online-updates": page("Online Updates", "updates", Updates),
  "/admin/tokens": page("Referral Tokens", "tokens", Tokens),
  "/admin/database-backup": page("Database Backup", "backup", Backup),
  "/admin/import": page("Import Keys", "import", ImportScreen, "/admin/database-backup"),
  "/admin/audit": page("Audit Log", "audit", Audit),
  "/admin/api": {
    title: "API Documentation",
    readsWithoutScript: true,
    screen: ({ island, search, language }) => (
      <>
        <PageHeading
          title="API Documentation"
          description="The calls for game clients. They need no login and work from any origin."
          actions={<LinkButton href="/swagger">All calls in Swagger</LinkButton>}
        />
        <SdkSection />
        {island("admin-api", AdminApi, { search, language })}
      </>
    ),
  },
  "/admin/account": account,
  "/admin/api-keys": apiKeys,
  "/admin/webhooks": webhooks,
  "/admin/shop-links": shopLinks,
  "/admin/staff": staff,
  "/reseller": {
    title: "Overview",
    screen: ({ island, viewer, expiringKeys, pauses, sharedKeys }) =>
      island("dashboard", Dashboard, { username: viewer.username, expiringKeys, pauses, sharedKeys }),
  },
  "/reseller/generate": {
    title: "Generate Keys",
    screen: ({ island, viewer, search }) =>
      island("generate-keys", GenerateKeys, { resellerId: resellerIdOf(viewer), search }),
  },
  "/reseller/keys": page("Manage Keys", "own-keys", OwnKeys),
  "/reseller/keys/:id": key,
  "/reseller/blocked-devices": blockedDevices,
  "/reseller/shared-keys": sharedKeys,
  "/reseller/orders": page("Orders", "own-orders", OwnOrders, "/reseller/keys"),
  "/reseller/orders/:id": order,
  "/reseller/credits": page("Credits", "own-credits", OwnCredits, "/reseller"),
  "/reseller/api": {
    title: "API Documentation",
    readsWithoutScript: true,
    screen: ({ island, language }) => (
      <>
        <PageHeading
          title="API Documentation"
          description="How a game checks one of your keys. The call needs no login."
        />
        <SdkSection />
        {island("reseller-api", ResellerApi, { language })}
      </>
    ),
  },
  "/reseller/account": account,
  "/reseller/api-keys": apiKeys,
  "/reseller/webhooks": webhooks,
  "/reseller/shop-links": shopLinks,
  "/reseller/staff": staff,
  closed: {
    title: "No Access",
    readsWithoutScript: true,
    screen: ({ viewer: { role } }) => (
      <Card className="grid justify-items-center gap-5 px-6 py-14 text-center">
        <h1 className="font-medium">Your account cannot open this page.</h1>
        <LinkButton href={`/${role}`}>Overview</LinkButton>
      </Card>
    ),
  },
};

/** The item under which a key or an order is found: admins have those of resellers and their own. */
function ownersItem({ viewer, owner }: ScreenRequest): string {
  if (viewer.role === "reseller") return "/reseller/keys";
  return owner === "reseller" ? "/admin/resellers" : "/admin/create-keys";
}

/** Each tab has its own script, so that the first load contains only what is shown. */
function adminKeys({ island, search, viewer }: ScreenRequest) {
  return tabIn(search, viewer.rights) === "manage"
    ? island("admin-keys-manage", AdminKeysManage, { search })
    : island("admin-keys", AdminKeys, { search });
}
