import BackupScreen from "../../islands/screens/backup.tsx";
import type { PanelPage } from "./page.ts";

export const backupPage: PanelPage = {
  path: "/admin/database-backup",
  role: "admin",
  title: "Database Backup",
  screen: ({ island }) => island("backup", BackupScreen, {}),
};
