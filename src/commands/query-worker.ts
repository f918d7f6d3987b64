import { csvStream } from "../audit/audit.ts";
import { archiveStream, collectionStream, collectionsQuery } from "../backups/queries.ts";
import { serveQueries } from "../db/worker/worker-thread.ts";
import { importList, reportStream } from "../imports/imports.ts";
import { blockList } from "../keys/blocks/blocked-devices.ts";
import { exportStream } from "../keys/export/export.ts";
import {
  adminKeysStream,
  countedKeyPageQuery,
  keyPageQuery,
  managedKeysStream,
  matchingQuery,
  resellerKeysStream,
} from "../keys/list/lists.ts";
import { selectedCsvStream, selectedTextStream } from "../keys/selection/selection.ts";
import { adminOrderList, orderList } from "../orders/orders.ts";
import { ledgerCsvStream, ledgerStream } from "../resellers/ledger.ts";
import { resellersStream } from "../resellers/resellers.ts";
import { searchEverythingQuery, searchOwnQuery } from "../search/search.ts";
import { tokensStream } from "../tokens/tokens.ts";

/**
 * The program of the worker thread: it runs lists, searches, counts and downloads, so that verification never waits for
 * them.
 */
serveQueries({
  snapshots: [
    ...[keyPageQuery, countedKeyPageQuery, matchingQuery, collectionsQuery],
    ...[searchEverythingQuery, searchOwnQuery],
  ],
  streams: [
    ...[managedKeysStream, adminKeysStream, resellerKeysStream, resellersStream, tokensStream],
    ...[ledgerStream, ledgerCsvStream, orderList.stream, adminOrderList.stream, importList.stream, reportStream],
    ...[csvStream, collectionStream, archiveStream, selectedCsvStream, selectedTextStream, exportStream],
    blockList.stream,
  ],
});
