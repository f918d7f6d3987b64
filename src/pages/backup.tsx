import type { PanelPage } from "./page.ts";

export const backupPage: PanelPage = {
  path: "/admin/database-backup",
  role: "admin",
  title: "Database Backup",
};
