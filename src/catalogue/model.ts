import { part, type SqlPart } from "../db/contract.ts";

/** The name of the game of a row that has a `game_id`. */
export function gameNameOf(gameId: SqlPart): SqlPart {
  return part`(SELECT g.name FROM games g WHERE g.id = ${gameId})`;
}
