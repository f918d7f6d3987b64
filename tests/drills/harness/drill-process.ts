import { AssertionError } from "node:assert/strict";
import { allDrills } from "./catalogue.ts";
import { type Drill, type Form, NotRun, type Outcome } from "./drill.ts";

/** Runs one drill and sends its outcome to the parent process. */
const [name = "", form] = process.argv.slice(2) as [string, Form];
const drill = (await allDrills()).get(name);
if (drill === undefined) throw new Error(`Unknown drill ${name}.`);

let outcome: Outcome;
try {
  outcome = { outcome: "passed", found: await drill.run(sizeOf(drill, form), form) };
} catch (error) {
  const isFinding = error instanceof AssertionError;
  const kind = error instanceof NotRun ? "not run" : isFinding ? "failed" : "broke off";
  if (kind === "broke off") console.error(error);
  outcome = { outcome: kind, found: (error as Error).message.split("\n")[0] ?? "" };
}
process.send?.(outcome);
process.exit();

function sizeOf({ sizes }: Drill, form: Form): unknown {
  return form === "proof" ? (sizes.proof ?? sizes.short ?? sizes.long) : sizes[form];
}
