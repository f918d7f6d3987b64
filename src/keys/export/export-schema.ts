import { type Static, Type } from "@sinclair/typebox";
import { GameFilter } from "../../catalogue/game-name.ts";

export const ExportQuery = Type.Object({
  owner: Type.Optional(
    Type.String({
      maxLength: 32,
      examples: ["night.owl"],
      description: "A reseller's username",
      says: { wrong: "owner must be a username" },
    }),
  ),
  game: GameFilter,
});
export type ExportQuery = Static<typeof ExportQuery>;
