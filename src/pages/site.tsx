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
import { resellerIdOf } from "../accounts/schema.ts";
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

/* Pages that both areas have. */

const key: PanelPage = {
  title: "Key",
  under: ownersItem,
  screen: ({ island, viewer, id }) => island("key-page", KeyPage, { area: viewer.role, id }),
};

const order: PanelPage = {
  title: ({ id }) => `Order ${id}`,
  under: ownersItem,
  screen: ({ island, viewer, id }) => island("order-page", OrderPage, { area: viewer.role, id }),
};

/** A page of one's own account, which may ask for its password. */
function ownPage(title: string, name: string, Island: typeof Account): PanelPage {
  return {
    title,
    screen: ({ island, viewer: { role, username } }) => island(name, Island, { area: role, username }),
  };
}

const account = ownPage("Account", "account", Account);
const apiKeys = ownPage("API Keys", "api-keys", ApiKeys);
const shopLinks = ownPage("Shop Links", "shop-links", ShopLinks);
const staff = ownPage("Staff", "staff", Staff);

const webhooks: PanelPage = {
  title: "Webhooks",
  screen: ({ island, viewer }) => island("webhooks", Webhooks, { area: viewer.role }),
};

const blockedDevices: PanelPage = {
  title: "Blocked Devices",
  under: ownersItem,
  screen: ({ island, viewer, search }) => island("blocked-devices", BlockedDevices, { area: viewer.role, search }),
};

const sharedKeys: PanelPage = {
  title: "Keys That Seem Shared",
  under: ownersItem,
  screen: ({ island, viewer, search }) => island("shared-keys", SharedKeys, { area: viewer.role, search }),
};

export const panelPages: Record<PanelRequest["page"], PanelPage> = {
  "/admin": {
    title: "Overview",
    screen: ({ island, mayGuide, pauses, sharedKeys }) =>
      island("admin-overview", AdminOverview, { mayGuide, pauses, sharedKeys }),
  },
  "/admin/resellers": {
    title: "Manage Resellers",
    screen: ({ island, search }) => island("resellers", Resellers, { search }),
  },
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
  "/admin/catalogue": {
    title: "Catalogue",
    under: "/admin/create-keys",
    screen: ({ island, search }) => island("catalogue", Catalogue, { search }),
  },
  "/admin/interventions": {
    title: "Interventions",
    under: "/admin/create-keys",
    screen: ({ island }) => island("interventions", Interventions, {}),
  },
  "/admin/keys/:id": key,
  "/admin/online-updates": {
    title: "Online Updates",
    screen: ({ island }) => island("updates", Updates, {}),
  },
  "/admin/tokens": {
    title: "Referral Tokens",
    screen: ({ island, search }) => island("tokens", Tokens, { search }),
  },
  "/admin/database-backup": {
    title: "Database Backup",
    screen: ({ island }) => island("backup", Backup, {}),
  },
  "/admin/import": {
    title: "Import Keys",
    under: "/admin/database-backup",
    screen: ({ island, search }) => island("import", ImportScreen, { search }),
  },
  "/admin/audit": {
    title: "Audit Log",
    screen: ({ island, search }) => island("audit", Audit, { search }),
  },
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
  "/reseller/keys": {
    title: "Manage Keys",
    screen: ({ island, search }) => island("own-keys", OwnKeys, { search }),
  },
  "/reseller/keys/:id": key,
  "/reseller/blocked-devices": blockedDevices,
  "/reseller/shared-keys": sharedKeys,
  "/reseller/orders": {
    title: "Orders",
    under: "/reseller/keys",
    screen: ({ island, search }) => island("own-orders", OwnOrders, { search }),
  },
  "/reseller/orders/:id": order,
  "/reseller/credits": {
    title: "Credits",
    under: "/reseller",
    screen: ({ island, search }) => island("own-credits", OwnCredits, { search }),
  },
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
