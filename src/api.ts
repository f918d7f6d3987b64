import type { Elysia } from "elysia";
import type { Access } from "./accounts/access.ts";
import { createAccountRoutes } from "./accounts/account-routes.ts";
import type { Cookies } from "./accounts/cookies.ts";
import type { PasswordChange } from "./accounts/passwords/password-change.ts";
import { createSessionRoutes } from "./accounts/routes.ts";
import type { Sessions } from "./accounts/sessions.ts";
import type { SignIn } from "./accounts/sign-in.ts";
import type { TwoFactor } from "./accounts/two-factor/two-factor.ts";
import type { Audit } from "./audit/audit.ts";
import { createAuditRoutes } from "./audit/routes.ts";
import type { Backup } from "./backups/backup.ts";
import type { Backups } from "./backups/backups.ts";
import { createBackupRoutes } from "./backups/routes.ts";
import { createAdminKeyRoutes } from "./keys/admin-routes.ts";
import type { Keys } from "./keys/keys.ts";
import type { KeyLists } from "./keys/list/lists.ts";
import { createResellerKeyRoutes } from "./keys/reseller-routes.ts";
import type { SelectedKeys } from "./keys/selection/selected-keys.ts";
import { createSelectionRoutes } from "./keys/selection/selection-routes.ts";
import type { Timelines } from "./keys/timeline/timeline.ts";
import { createTimelineRoutes } from "./keys/timeline/timeline-routes.ts";
import type { Verify } from "./keys/verify.ts";
import { createVerifyRoutes } from "./keys/verify-routes.ts";
import { createAdminOrderRoutes } from "./orders/admin-routes.ts";
import type { Orders } from "./orders/orders.ts";
import type { Purchase } from "./orders/purchase.ts";
import { createResellerOrderRoutes } from "./orders/reseller-routes.ts";
import type { Figures } from "./reports/figures.ts";
import { createFigureRoutes } from "./reports/figures-routes.ts";
import type { Overview } from "./reports/overview.ts";
import { createOverviewRoutes } from "./reports/routes.ts";
import type { Condition } from "./reports/schema.ts";
import type { Ledger } from "./resellers/ledger.ts";
import { createLedgerRoutes } from "./resellers/ledger-routes.ts";
import type { Registration } from "./resellers/registration.ts";
import type { Resellers } from "./resellers/resellers.ts";
import { createResellerRoutes } from "./resellers/routes.ts";
import { createSearchRoutes } from "./search/routes.ts";
import type { Search } from "./search/search.ts";
import { createTokenRoutes } from "./tokens/routes.ts";
import type { Tokens } from "./tokens/tokens.ts";
import { createUpdateRoutes } from "./updates/routes.ts";
import type { Updates } from "./updates/updates.ts";

/** What the calls of the API are carried out by. */
export interface Business {
  access: Access;
  cookies: Cookies;
  sessions: Sessions;
  signIn: SignIn;
  passwordChange: PasswordChange;
  twoFactor: TwoFactor;
  tokens: Tokens;
  resellers: Resellers;
  ledger: Ledger;
  registration: Registration;
  keys: Keys;
  keyLists: KeyLists;
  selectedKeys: SelectedKeys;
  orders: Orders;
  timelines: Timelines;
  purchase: Purchase;
  verify: Verify;
  updates: Updates;
  overview: Overview;
  condition: () => Promise<Condition>;
  figures: Figures;
  search: Search;
  audit: Audit;
  backup: Backup;
  backups: Backups;
}

/**
 * Every call, as /swagger documents it. The islands take the shapes of their calls from this type, so that a path or a field
 * that is renamed here is a type error there.
 */
export type Api = ReturnType<ReturnType<typeof createApi>>;

/** Puts every call into an application. No application of its own: Elysia would make each route of one anew where it is put in, at every start. */
export function createApi(business: Business) {
  return (app: Elysia) =>
    app
      .use(createSessionRoutes(business))
      .use(createAccountRoutes(business))
      .use(createTokenRoutes(business))
      .use(createResellerRoutes(business))
      .use(createLedgerRoutes(business))
      .use(createAdminKeyRoutes(business))
      .use(createResellerKeyRoutes(business))
      .use(createSelectionRoutes(business))
      .use(createAdminOrderRoutes(business))
      .use(createResellerOrderRoutes(business))
      .use(createTimelineRoutes(business))
      .use(createVerifyRoutes(business))
      .use(createUpdateRoutes(business))
      .use(createOverviewRoutes(business))
      .use(createFigureRoutes(business))
      .use(createSearchRoutes(business))
      .use(createAuditRoutes(business))
      .use(createBackupRoutes(business));
}
