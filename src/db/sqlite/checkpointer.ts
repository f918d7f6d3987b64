import { answerCheckpoints } from "./checkpoint-thread.ts";

/** The program of the thread that writes SQLite's log back to its file, so that no commit has to. */
answerCheckpoints();
