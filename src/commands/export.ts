import { createWriteStream, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { nameFile, refuseExisting } from "../db/copies/snapshot.ts";
import { createExport } from "../keys/export/export.ts";
import { limitFreeCalls } from "../keys/free-calls.ts";
import { createPauses } from "../keys/life/pause.ts";
import { withDatabase } from "./data.ts";
import { type Command, standardStream } from "./terminal/command.ts";

export const exportKeys: Command = {
  usage: "export [<file>] [--owner <username>] [--game <game>]",
  summary: "Write all keys with their devices as CSV, which import reads",
  help: `The server may keep running. Without a file, or with -, the keys are written to standard output.
With --owner only the keys of that reseller are written, and with --game only those of that game.
The file is for programs: a spreadsheet would take some texts for formulas.`,
  operands: ["file"],
  mayLackOperands: true,
  options: { owner: { type: "string" }, game: { type: "string" } },
  async run(system, [file = standardStream], options: { owner?: string; game?: string }) {
    const { now, print, send } = system;
    if (file !== standardStream) refuseExisting(file);
    await withDatabase(system, async ({ database, changes, clock }) => {
      const refuseFreeCalls = limitFreeCalls({ isLimited: false });
      await createPauses({ database, changes, refuseFreeCalls, clock }).endUsedUp();
      const exports = createExport({ database, changes, now });
      const { content } = await exports.keys("command line", { id: 0, role: "admin" }, options);
      if (file === standardStream) return send(content);
      await writeWhole(file, content);
      print(`Wrote ${file}.`);
    });
  },
};

/** A file of that name is always complete. */
async function writeWhole(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(content, createWriteStream(unfinished));
    nameFile(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
