import { listKept } from "../backups/kept-list.ts";
import { readConfig } from "../config/config.ts";
import { isoOf } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { refusePostgres } from "./postgres-data.ts";
import type { Command } from "./terminal/command.ts";

export const backups: Command = {
  usage: "backups",
  summary: "List the backups in BACKUP_DIR and BACKUP_S3, newest first",
  help: "Each by the name that restore and verify take. What somebody wrote elsewhere with a name of its own is not known here.",
  async run(system) {
    const config = readConfig(system.environment);
    refusePostgres(config, "its backups are what pg_dump has made.");
    const settings = config.backups;
    const { backups: kept, s3Failure } = await listKept(settings);
    for (const { name, madeAt, bytes, places } of kept) {
      const where = places.map((place) => (place === "s3" ? "S3" : "here")).join(" and in ");
      system.print(
        `${name}  ${isoOf(madeAt).slice(0, 16).replace("T", " ")}  ${sizeText(bytes).padStart(9)}  ${where}`,
      );
    }
    if (kept.length === 0) system.print(`There is no backup in ${settings.folder}${settings.s3 ? " or in S3" : ""}.`);
    if (s3Failure) throw new OperatorError(s3Failure);
  },
};

function sizeText(bytes: number): string {
  const isSmall = bytes < 2 ** 20;
  return `${(bytes / (isSmall ? 2 ** 10 : 2 ** 20)).toFixed(1)} ${isSmall ? "KB" : "MB"}`;
}
