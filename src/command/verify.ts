import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDatabase } from "../database/check.ts";
import { takeIn } from "../database/intake.ts";
import { releasedMigrations } from "../database/migrations.ts";
import { makeUnfinishedFolder } from "../database/unfinished.ts";
import { OperatorError } from "../operator-error.ts";
import type { Command } from "./command.ts";
import { sourceOf } from "./restore.ts";
import { exitWhenAskedToStop } from "./stop-signals.ts";

export const verify: Command = {
  usage: "verify <file>",
  summary: "Say whether a backup could be restored (- is the standard input)",
  help: "It is asked everything that restore asks. For that it is copied to the folder for temporary files, and removed again.",
  operands: ["file"],
  async run(system, [name = ""]) {
    const source = sourceOf(name, system);
    exitWhenAskedToStop();
    const unfinished = makeUnfinishedFolder(tmpdir());
    try {
      const copy = join(unfinished.path, "latchkey.db");
      const wal = await takeIn(source, copy);
      await new Promise(setImmediate);
      checkDatabase(copy, releasedMigrations());
      system.print(`${name} is whole and can be restored${wal ? `, with the changes in ${wal}` : ""}.`);
    } catch (error) {
      throw error instanceof OperatorError ? new OperatorError(`${name} cannot be restored. ${error.message}`) : error;
    } finally {
      unfinished.remove();
    }
  },
};
