import { resourcePath, version } from "../config/program.ts";
import { OperatorError } from "../core/operator-error.ts";
import { adminCreate, adminDisableTwoFactor, adminList, adminRemove, adminResetPassword } from "./admin.ts";
import { apiKeysList, apiKeysRevoke } from "./api-keys.ts";
import { backup, backups } from "./backup.ts";
import { check } from "./check.ts";
import { clockConfirm, clockRepair } from "./clock.ts";
import { config } from "./config.ts";
import { demo } from "./demo/demo.ts";
import { exportKeys } from "./export.ts";
import { healthcheck } from "./healthcheck.ts";
import { importKeys, importUndo } from "./import.ts";
import { keysAdd, keysList, keysPromote, keysRetire } from "./keys.ts";
import { migrate } from "./migrate.ts";
import { move } from "./move.ts";
import { resellersErase } from "./resellers.ts";
import { restore, verify } from "./restore.ts";
import { secretLost } from "./secret.ts";
import { serve } from "./serve.ts";
import type { Commands } from "./terminal/command.ts";
import { completionsOf } from "./terminal/completions.ts";

/** Every command of the command line, by the words that call it. */
export const commands: Commands = {
  serve,
  "admin create": adminCreate,
  "admin list": adminList,
  "admin reset-password": adminResetPassword,
  "admin disable-two-factor": adminDisableTwoFactor,
  "admin remove": adminRemove,
  "api-keys list": apiKeysList,
  "api-keys revoke": apiKeysRevoke,
  migrate,
  backup,
  backups,
  verify,
  restore,
  check,
  "clock confirm": clockConfirm,
  "clock repair": clockRepair,
  "resellers erase": resellersErase,
  "secret lost": secretLost,
  "keys list": keysList,
  "keys add": keysAdd,
  "keys promote": keysPromote,
  "keys retire": keysRetire,
  export: exportKeys,
  import: importKeys,
  "import undo": importUndo,
  move,
  demo,
  config,
  healthcheck,
  completions: completionsOf(() => commands),
  licences: {
    usage: "licences",
    summary: "Show the licences of the software in Latchkey",
    run: async (system) => {
      const notices = Bun.file(resourcePath("build/assets/THIRD-PARTY-NOTICES"));
      if (!(await notices.exists()))
        throw new OperatorError("Only the executable contains them. `bun run build` builds it.");
      system.print(await notices.text());
    },
  },
  version: {
    usage: "version",
    summary: "Show the version",
    run: async (system) => system.print(`latchkey ${version}`),
  },
};
