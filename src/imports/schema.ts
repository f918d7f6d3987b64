import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../core/field.ts";

export const lineResults = ["valid", "duplicate", "wrong"] as const;
export type LineResult = (typeof lineResults)[number];

const State = oneOf(["running", "finished", "undone"], { examples: ["running"] });
export type ImportState = Static<typeof State>;

const flag = { pattern: "^(true|false)$", says: { wrong: "dryRun must be true or false" } };

export const ImportQuery = Type.Object({
  dryRun: Type.Optional(Type.String({ ...flag, description: "true imports nothing and makes the same report" })),
  owner: Type.Optional(
    Type.String({ maxLength: 64, description: "The reseller whose keys the lines are that name no owner" }),
  ),
  game: Type.Optional(Type.String({ maxLength: 80, description: "The game of the lines that name none" })),
  map: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description:
        "`key=Serial No.`: the column of the file that is our column key. May be repeated, up to 32 times with 512 characters each",
    }),
  ),
});
export type ImportQuery = Static<typeof ImportQuery>;

const Id = Type.Integer({ examples: [5] });

export const StartedImport = Type.Object({ id: Id, state: State });
export type StartedImport = Static<typeof StartedImport>;

const lines = (description: string, example: number) => Type.Integer({ description, examples: [example] });

export const Import = Type.Object({
  id: Id,
  state: State,
  valid: lines("Lines that became keys or, in a dry run, would have", 1_180),
  duplicate: lines("Lines whose key was there already", 12),
  wrong: lines("Lines with a mistake", 8),
  done: lines("Lines that were handled", 1_200),
  total: lines("Lines of the file, without the head", 1_200),
  orderIds: Type.Array(Type.Integer(), { description: "One order for each owner", examples: [[12, 13]] }),
});
export type Import = Static<typeof Import>;
