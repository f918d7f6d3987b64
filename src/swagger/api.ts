import type { Elysia } from "elysia";
import { createApiKeyRoutes } from "../accounts/api-keys/api-key-routes.ts";
import { createAccountRoutes, createSessionRoutes } from "../accounts/routes.ts";
import { createStaffRoutes } from "../accounts/staff/staff-routes.ts";
import { createAuditRoutes } from "../audit/routes.ts";
import { createBackupRoutes } from "../backups/routes.ts";
import { createCatalogueRoutes } from "../catalogue/routes.ts";
import { createImportRoutes } from "../imports/routes.ts";
import { createInterventionRoutes } from "../interventions/routes.ts";
import { createBlockRoutes } from "../keys/blocks/block-routes.ts";
import { createExportRoutes } from "../keys/export/export-routes.ts";
import { createTimeRoutes } from "../keys/life/routes.ts";
import { createKeyRoutes } from "../keys/routes.ts";
import { createSelectionRoutes } from "../keys/selection-routes.ts";
import { createTimelineRoutes } from "../keys/timeline/timeline-routes.ts";
import { createOrderRoutes } from "../orders/routes.ts";
import { createReleaseRoutes } from "../players/routes.ts";
import { createProofRoutes } from "../proof/routes.ts";
import { createReportRoutes } from "../reports/routes.ts";
import { createLedgerRoutes } from "../resellers/ledger-routes.ts";
import { createResellerRoutes } from "../resellers/routes.ts";
import { createSearchRoutes } from "../search/routes.ts";
import { createShopLinkRoutes } from "../shop-links/routes.ts";
import { createTokenRoutes } from "../tokens/routes.ts";
import { createPublishedUpdateRoutes, createUpdateRoutes } from "../updates/routes.ts";
import { createVerifyRoutes } from "../verify/routes.ts";
import { createWebhookRoutes } from "../webhooks/routes.ts";

/*
 * All calls of the API, in the two groups that the server composes and /swagger documents. The islands derive the types
 * of their calls from these, so a renamed path or field is a type error there.
 */

export type PublicApi = ReturnType<ReturnType<typeof createPublicApi>>;
export type PanelApi = ReturnType<ReturnType<typeof createPanelApi>>;

/** The calls of game clients. */
export function createPublicApi(
  services: Parameters<typeof createVerifyRoutes>[0] &
    Parameters<typeof createReleaseRoutes>[0] &
    Parameters<typeof createPublishedUpdateRoutes>[0] &
    Parameters<typeof createProofRoutes>[0],
) {
  return (app: Elysia) =>
    app
      .use(createVerifyRoutes(services))
      .use(createReleaseRoutes(services))
      .use(createPublishedUpdateRoutes(services))
      .use(createProofRoutes(services));
}

/** The calls of people, and of their programs. */
export function createPanelApi(services: PanelServices) {
  return (app: Elysia) =>
    app
      .use(createSessionRoutes(services))
      .use(createAccountRoutes(services))
      .use(createApiKeyRoutes(services))
      .use(createStaffRoutes(services))
      .use(createWebhookRoutes(services))
      .use(createShopLinkRoutes(services))
      .use(createTokenRoutes(services))
      .use(createResellerRoutes(services))
      .use(createLedgerRoutes(services))
      .use(createCatalogueRoutes(services))
      .use(createKeyRoutes(services))
      .use(createBlockRoutes(services))
      .use(createSelectionRoutes(services))
      .use(createTimeRoutes(services))
      .use(createInterventionRoutes(services))
      .use(createOrderRoutes(services))
      .use(createExportRoutes(services))
      .use(createImportRoutes(services))
      .use(createTimelineRoutes(services))
      .use(createUpdateRoutes(services))
      .use(createReportRoutes(services))
      .use(createSearchRoutes(services))
      .use(createAuditRoutes(services))
      .use(createBackupRoutes(services));
}

type PanelServices = Parameters<typeof createSessionRoutes>[0] &
  Parameters<typeof createAccountRoutes>[0] &
  Parameters<typeof createApiKeyRoutes>[0] &
  Parameters<typeof createStaffRoutes>[0] &
  Parameters<typeof createWebhookRoutes>[0] &
  Parameters<typeof createShopLinkRoutes>[0] &
  Parameters<typeof createTokenRoutes>[0] &
  Parameters<typeof createResellerRoutes>[0] &
  Parameters<typeof createLedgerRoutes>[0] &
  Parameters<typeof createCatalogueRoutes>[0] &
  Parameters<typeof createKeyRoutes>[0] &
  Parameters<typeof createBlockRoutes>[0] &
  Parameters<typeof createSelectionRoutes>[0] &
  Parameters<typeof createTimeRoutes>[0] &
  Parameters<typeof createInterventionRoutes>[0] &
  Parameters<typeof createOrderRoutes>[0] &
  Parameters<typeof createExportRoutes>[0] &
  Parameters<typeof createImportRoutes>[0] &
  Parameters<typeof createTimelineRoutes>[0] &
  Parameters<typeof createUpdateRoutes>[0] &
  Parameters<typeof createReportRoutes>[0] &
  Parameters<typeof createSearchRoutes>[0] &
  Parameters<typeof createAuditRoutes>[0] &
  Parameters<typeof createBackupRoutes>[0];
