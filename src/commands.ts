import { version } from "../package.json";
import { adminCreate, adminDisableTwoFactor, adminList, adminRemove, adminResetPassword } from "./command/admin.ts";
import { backup } from "./command/backup.ts";
import { backups } from "./command/backups.ts";
import { check } from "./command/check.ts";
import type { Commands } from "./command/command.ts";
import { completionsOf } from "./command/completions.ts";
import { config } from "./command/config.ts";
import { demo } from "./command/demo.ts";
import { healthcheck } from "./command/healthcheck.ts";
import { migrate } from "./command/migrate.ts";
import { move } from "./command/move.ts";
import { restore } from "./command/restore.ts";
import { serve } from "./command/serve.ts";
import { verify } from "./command/verify.ts";

/** Every command of the command line, by the words that call it. */
export const commands: Commands = {
  serve,
  "admin create": adminCreate,
  "admin list": adminList,
  "admin reset-password": adminResetPassword,
  "admin disable-two-factor": adminDisableTwoFactor,
  "admin remove": adminRemove,
  migrate,
  backup,
  backups,
  verify,
  restore,
  check,
  move,
  demo,
  config,
  healthcheck,
  completions: completionsOf(() => commands),
  version: {
    usage: "version",
    summary: "Say which version this is",
    run: async (system) => system.print(`latchkey ${version}`),
  },
};
