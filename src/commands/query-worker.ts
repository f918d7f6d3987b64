import { csvReading } from "../audit/readings.ts";
import { collectionsQuestion } from "../backups/questions.ts";
import { archiveReading, collectionReading } from "../backups/readings.ts";
import { serveQueries } from "../db/worker/worker-thread.ts";
import { countedKeyPageQuestion, keyPageQuestion, matchingQuestion } from "../keys/list/questions.ts";
import { adminKeysReading, managedKeysReading, resellerKeysReading } from "../keys/list/readings.ts";
import { selectedCsvReading, selectedTextReading } from "../keys/selection/selection-readings.ts";
import { adminOrdersReading, ordersReading } from "../orders/readings.ts";
import { ledgerCsvReading, ledgerReading } from "../resellers/ledger-readings.ts";
import { resellersReading } from "../resellers/readings.ts";
import { searchEverythingQuestion, searchOwnQuestion } from "../search/questions.ts";
import { tokensReading } from "../tokens/readings.ts";

/** The program of the thread that reads what is long, so that verification never waits for it: what `main.ts` is to the server. */
serveQueries({
  questions: [
    ...[keyPageQuestion, countedKeyPageQuestion, matchingQuestion, collectionsQuestion],
    ...[searchEverythingQuestion, searchOwnQuestion],
  ],
  readings: [
    ...[managedKeysReading, adminKeysReading, resellerKeysReading, resellersReading, tokensReading],
    ...[ledgerReading, ledgerCsvReading, ordersReading, adminOrdersReading],
    ...[csvReading, collectionReading, archiveReading, selectedCsvReading, selectedTextReading],
  ],
});
