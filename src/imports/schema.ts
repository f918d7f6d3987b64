import { type Static, Type } from "@sinclair/typebox";
import { nameOf, oneOf, orNull, textOrNull } from "../core/field.ts";
import { Instant, pagingFields } from "../http/schema.ts";
import { columns } from "../keys/export/columns.ts";

export const lineResults = ["valid", "duplicate", "wrong"] as const;
export type LineResult = (typeof lineResults)[number];

const State = oneOf(["running", "finished", "undone"], { examples: ["running"] });
export type ImportState = Static<typeof State>;

/** Of dates with dots or slashes: 31.12.2026 or 12/31/2026. */
export const dateOrders = ["dmy", "mdy"] as const;
export type DateOrder = (typeof dateOrders)[number];

const flag = { pattern: "^(true|false)$", says: { wrong: "dryRun must be true or false" } };

export const fileNameCharactersMax = 255;

const repeatable = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }));

export const ImportQuery = Type.Object({
  dryRun: Type.Optional(Type.String({ ...flag, description: "true imports nothing and makes the same report" })),
  owner: Type.Optional(
    Type.String({ maxLength: 64, description: "The reseller whose keys the lines are that name no owner" }),
  ),
  game: Type.Optional(Type.String({ maxLength: 80, description: "The game of the lines that name none" })),
  map: repeatable(
    "`key=Serial No.`: the column of the file that is our column key; `status=` leaves one out. May be repeated, up to 32 times with 512 characters each",
  ),
  value: repeatable("`game:PUBG=PUBG MOBILE`: what a game or an owner of the file is here. May be repeated like `map`"),
  dates: Type.Optional(oneOf(dateOrders, { description: "How dates with dots or slashes begin, where there are any" })),
  name: Type.Optional(Type.RegExp(nameOf(fileNameCharactersMax), { pattern: "^.{1,255}$", examples: ["keys.csv"] })),
});
export type ImportQuery = Static<typeof ImportQuery>;

const Id = Type.Integer({ examples: [5] });

export const StartedImport = Type.Object({ id: Id, state: State });
export type StartedImport = Static<typeof StartedImport>;

const lines = (description: string, example: number) => Type.Integer({ description, examples: [example] });

const counts = {
  valid: lines("Lines that became keys or, in a dry run, would have", 1_180),
  duplicate: lines("Lines whose key was there already", 12),
  wrong: lines("Lines with a mistake", 8),
};

export const Import = Type.Object({
  id: Id,
  state: State,
  ...counts,
  done: lines("Lines that were handled", 1_200),
  total: lines("Lines of the file, without the head", 1_200),
  orderIds: Type.Array(Type.Integer(), { description: "One order for each owner", examples: [[12, 13]] }),
});
export type Import = Static<typeof Import>;

export const ListedImport = Type.Object({
  ...{ id: Id, at: Instant, by: Type.String({ examples: ["admin"] }), state: State, ...counts },
  fileName: textOrNull("keys.csv", "Null if it is not known"),
});
export type ListedImport = Static<typeof ListedImport>;

export const ListQuery = Type.Object(pagingFields);

/** Wrong lines with the same kind of mistake. */
export const ImportCause = Type.Object({
  field: orNull(oneOf(columns, { examples: ["game"] }), "Null for a whole line"),
  value: textOrNull("PUBG", "What the lines have there, of a game, an owner or a status; else null"),
  reason: Type.String({ description: "Of the first line", examples: ["There is no game PUBG."] }),
  lines: lines("How many lines", 42),
});
export type ImportCause = Static<typeof ImportCause>;
