import { csvReading } from "./audit/readings.ts";
import { archiveReading, collectionReading } from "./backup/readings.ts";
import { answerScans } from "./database/scan-thread.ts";

/** The program of the thread that reads what is long, so that verification never waits for it: what `main.ts` is to the server. */
answerScans([csvReading, collectionReading, archiveReading]);
