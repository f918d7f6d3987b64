import { join } from "node:path";
import type { Attack, Told } from "./attackers.ts";
import { drillsFolder } from "./catalogue.ts";

/** The attack of one drill, which tells the process that started it what became of it. */
const [name = "", order = ""] = process.argv.slice(2);
const { attack } = (await import(join(drillsFolder, `${name}.ts`))) as { attack: Attack<unknown, unknown> };

const over = Promise.withResolvers<void>();
process.once("message", () => over.resolve());
const begun = () => void process.send?.({ begun: true } satisfies Told<unknown>);
const result = await attack(JSON.parse(order), { begun, over: over.promise });
process.send?.({ result } satisfies Told<unknown>, undefined, undefined, () => process.exit());
