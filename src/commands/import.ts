import { basename } from "node:path";
import { exitCodes, OperatorError } from "../core/operator-error.ts";
import { createImportWork, type ImportWork } from "../imports/import-work.ts";
import { createImports, type Imports } from "../imports/imports.ts";
import { mapOf } from "../imports/reading/headings.ts";
import { replacementOf } from "../imports/reading/read.ts";
import { dateOrders, fileNameCharactersMax, type Import } from "../imports/schema.ts";
import { withDatabase } from "./data.ts";
import type { Command, System } from "./terminal/command.ts";

export const importKeys: Command = {
  usage:
    "import <file> [--dry-run] [--owner NAME] [--game NAME] [--map column=Heading] [--value field:from=to] [--dates dmy|mdy]",
  summary: "Import keys from a CSV file or from JSON lines",
  help: `The server may keep running, and knows the keys at once. Duplicate and wrong lines are left out; the report on standard
output says what became of each line. If a line was wrong, the exit code is 1. If the command is interrupted, the same
command on the same file continues. With --dry-run nothing is imported.
--owner and --game are for lines that name none. --map says which column of the file is one of ours, and may be
repeated: --map "key=Serial No."; --map status= leaves one out. --value replaces a game or an owner of the file, and may be
repeated: --value "game:PUBG=PUBG MOBILE". --dates says that dates such as 31.12.2026 begin with the day (dmy) or, as in
12/31/2026, with the month (mdy).`,
  operands: ["file"],
  options: {
    "dry-run": { type: "boolean" },
    owner: { type: "string" },
    game: { type: "string" },
    map: { type: "string", multiple: true },
    value: { type: "string", multiple: true },
    dates: { type: "string" },
  },
  async run(system, [file = ""], options: Options) {
    if (!(await Bun.file(file).exists())) throw new OperatorError(`There is no file ${file}.`, exitCodes.wrongUsage);
    const { "dry-run": isDryRun = false, owner, game, map = [], value = [] } = options;
    const dates = dateOrders.find((each) => each === options.dates);
    if (dates !== options.dates) throw new OperatorError("--dates must be dmy or mdy.", exitCodes.wrongUsage);
    const replacements = value.length === 0 ? undefined : value.map(replacementOf);
    // What is left out is not in the hash by which an earlier version continues.
    const given = { isDryRun, owner, game, map: mapOf(map), replacements, dates };
    await withImports(system, async ({ imports, work }) => {
      await work.deleteUndone();
      system.progress("Reading the file …");
      const fileName = basename(file).replace(/\p{C}/gu, "").slice(0, fileNameCharactersMax) || null;
      const fileHash = await hashOf(file);
      const requestHash = Bun.CryptoHasher.hash("sha256", fileHash + JSON.stringify(given), "hex");
      // A dry run imports nothing, and only the same command continues it.
      await imports.unlessUnderWay(isDryRun ? requestHash : fileHash, async () => {
        const id = await imports.startOrContinue({ ...given, fileName, content: Bun.file(file).stream() }, requestHash);
        await work.importAll(id, ({ valid, duplicate, wrong, total }) =>
          system.progress(`Importing … ${valid + duplicate + wrong} of ${total} lines`),
        );
        system.progress(null);
        await system.send(imports.reportLines(id));
        const done = await imports.open(id);
        await imports.endCommand(id);
        sayResult(done, given, system);
      });
    });
  },
};

interface Options {
  "dry-run"?: boolean;
  owner?: string;
  game?: string;
  map?: string[];
  value?: string[];
  dates?: string;
}

export const importUndo: Command = {
  usage: "import undo <order>",
  summary: "Delete the keys of an import's order",
  help: `The server may keep running. It is refused once a key has had a device connected or something paid for it. The order
stays, with no keys.`,
  operands: ["order"],
  async run(system, [order = ""]) {
    const id = Number(/^#?(\d{1,15})$/.exec(order)?.[1] ?? 0);
    await withImports(system, async ({ imports, work }) => {
      // What an earlier call of this command has left.
      await work.deleteUndone();
      await imports.undoOrder(id);
    });
    system.print(`Order ${id} has been undone: its keys are deleted.`);
  },
};

function withImports<Result>(
  system: System,
  run: (services: { imports: Imports; work: ImportWork }) => Promise<Result>,
): Promise<Result> {
  return withDatabase(system, ({ database, changes, clock }) => {
    const work = createImportWork({ database, clock, worksIn: "command" });
    const imports = createImports({ database, changes, clock, work });
    return run({ imports, work }).finally(() => system.progress(null));
  });
}

async function hashOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of Bun.file(file).stream()) hash.update(piece);
  return hash.digest("hex");
}

/** Throws `OperatorError` if a line was wrong. */
function sayResult(
  { valid, duplicate, wrong, orderIds }: Import,
  { isDryRun }: { isDryRun: boolean },
  { note }: System,
) {
  const counts = `${valid} valid, ${duplicate} duplicate, ${wrong} wrong`;
  if (isDryRun) note(`Nothing was imported, because of --dry-run. Lines: ${counts}.`);
  else {
    note(`Imported ${valid === 1 ? "1 key" : `${valid} keys`}. Lines: ${counts}.`);
    for (const id of orderIds) note(`To undo: latchkey import undo ${id}`);
  }
  if (wrong > 0) throw new OperatorError(wrong === 1 ? "1 line was wrong." : `${wrong} lines were wrong.`);
}
