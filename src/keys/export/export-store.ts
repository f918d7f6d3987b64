import { nothing, part, type Sql } from "../../db/contract.ts";
import type { Page } from "../../db/paging.ts";
import type { KeyRow } from "../model.ts";
import { keyColumns, type Owner, ownedBy } from "../store.ts";

export interface ExportFilter {
  owner: Owner;
  gameId: number | undefined;
}

export interface ExportRow extends KeyRow {
  /** A username; null for an admin key. */
  owner: string | null;
  /** Separated by spaces, which no device id contains; null if there is none. */
  devices: string | null;
}

/** In order of creation. */
export function listToExport(sql: Sql, { owner, gameId }: ExportFilter, { after, limitPart }: Page<[number]>) {
  const ofGame = gameId === undefined ? nothing : part`AND k.game_id = ${gameId}`;
  return sql<ExportRow>`
    SELECT ${keyColumns}, owner.username AS owner,
      (SELECT string_agg(d.device_id, ' ' ORDER BY d.id) FROM key_devices d WHERE d.key_id = k.id) AS devices
    FROM license_keys k LEFT JOIN accounts owner ON owner.id = k.reseller_id
    WHERE ${ownedBy(owner)} ${ofGame} AND k.id > ${after?.[0] ?? 0} ORDER BY k.id ${limitPart}`;
}
