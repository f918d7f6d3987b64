import type { Progress } from "../../backups/backup-work.ts";
import type { Step } from "../../backups/limits.ts";
import type { System } from "./command.ts";

const words: Record<Step, string> = {
  copying: "Copying the database",
  checking: "Checking the copy",
  compressing: "Compressing it",
  sending: "Sending it to S3",
  readingBack: "Reading it back",
};

/** Says on a terminal where a backup is. */
export function sayProgress({ progress }: System): (told: Progress) => void {
  return ({ step, share }) =>
    progress(share === null ? `${words[step]} …` : `${words[step]} … ${Math.round(share * 100)} %`);
}
