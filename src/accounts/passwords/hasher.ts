import { answerHashes } from "./hashing-thread.ts";

/** The program of a thread that hashes passwords, so that verification never waits for one: what `query-worker.ts` is to what is long to read. */
answerHashes();
