import { join } from "node:path";
import type { Attack, AttackMessage } from "./attack.ts";
import { drillsFolder } from "./catalogue.ts";

/** Runs the attack of one drill and sends its result to the parent process. */
const [name = "", order = ""] = process.argv.slice(2);
const { attack } = (await import(join(drillsFolder, `${name}.ts`))) as { attack: Attack<unknown, unknown> };

const over = Promise.withResolvers<void>();
process.once("message", () => over.resolve());
const begun = () => void process.send?.({ begun: true } satisfies AttackMessage<unknown>);
const result = await attack(JSON.parse(order), { begun, over: over.promise });
process.send?.({ result } satisfies AttackMessage<unknown>, undefined, undefined, () => process.exit());
