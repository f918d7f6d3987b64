import { csvStream } from "../audit/streams.ts";
import { archiveStream, collectionStream, collectionsQuery } from "../backups/queries.ts";
import { serveQueries } from "../db/worker/worker-thread.ts";
import { countedKeyPageQuery, keyPageQuery, matchingQuery } from "../keys/list/queries.ts";
import { adminKeysStream, managedKeysStream, resellerKeysStream } from "../keys/list/streams.ts";
import { selectedCsvStream, selectedTextStream } from "../keys/selection/selection-streams.ts";
import { adminOrdersStream, ordersStream } from "../orders/streams.ts";
import { ledgerCsvStream, ledgerStream } from "../resellers/ledger-streams.ts";
import { resellersStream } from "../resellers/streams.ts";
import { searchEverythingQuery, searchOwnQuery } from "../search/queries.ts";
import { tokensStream } from "../tokens/streams.ts";

/** The program of the worker thread: it runs lists, searches, counts and downloads, so that verification never waits for them. */
serveQueries({
  snapshots: [
    ...[keyPageQuery, countedKeyPageQuery, matchingQuery, collectionsQuery],
    ...[searchEverythingQuery, searchOwnQuery],
  ],
  streams: [
    ...[managedKeysStream, adminKeysStream, resellerKeysStream, resellersStream, tokensStream],
    ...[ledgerStream, ledgerCsvStream, ordersStream, adminOrdersStream],
    ...[csvStream, collectionStream, archiveStream, selectedCsvStream, selectedTextStream],
  ],
});
