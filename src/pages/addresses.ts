/** Where the pages stand, and whose those in the panel are (rules.md: Pages). What they show stands in site.tsx. */
export const entrancePaths = ["/", "/register"] as const;
export type EntrancePath = (typeof entrancePaths)[number];

export const panelPaths = {
  "/admin": "admin",
  "/admin/resellers": "admin",
  "/admin/resellers/:id": "admin",
  "/admin/resellers/:id/keys": "admin",
  "/admin/orders/:id": "admin",
  "/admin/create-keys": "admin",
  "/admin/keys/:id": "admin",
  "/admin/online-updates": "admin",
  "/admin/tokens": "admin",
  "/admin/database-backup": "admin",
  "/admin/audit": "admin",
  "/admin/api": "admin",
  "/admin/account": "admin",
  "/reseller": "reseller",
  "/reseller/generate": "reseller",
  "/reseller/keys": "reseller",
  "/reseller/keys/:id": "reseller",
  "/reseller/orders": "reseller",
  "/reseller/orders/:id": "reseller",
  "/reseller/credits": "reseller",
  "/reseller/api": "reseller",
  "/reseller/account": "reseller",
} as const;
export type PanelPath = keyof typeof panelPaths;
