import { makeBackupHere } from "./backup-thread.ts";

/** The program of the thread that makes a backup, so that verification never waits for it: what `query-worker.ts` is to what is long to read. */
await makeBackupHere();
