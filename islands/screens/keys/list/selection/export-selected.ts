import { useAtomValue } from "jotai";
import { downloadSelected, type KeyScope, type KeySelector } from "../../../../api/calls/key-selection.ts";
import { useWork } from "../../../../api/query.ts";
import { useDownload } from "../../../../api/use-download.tsx";
import { pluralText } from "../../../../format.ts";
import { copyText } from "../../../../ui/copy-button.tsx";
import { showToast } from "../../../../ui/toast/store.ts";
import type { Key } from "../columns.tsx";
import { chosenAtom, countAtom, isAll } from "./selection.ts";

/** Copies the selected keys, one per line, or saves them as CSV. Keys that are not loaded come from the server. */
export function useExportSelected(options: { scope: KeyScope; selector: () => KeySelector; rows: readonly Key[] }) {
  const { scope, selector, rows } = options;
  const chosen = useAtomValue(chosenAtom);
  const keys = pluralText(useAtomValue(countAtom), "key");
  const csv = useDownload(() => downloadSelected(scope, selector(), "csv"), `${keys} downloaded successfully`);
  const copy = useWork({
    mutationFn: async () => {
      const text = isAll(chosen)
        ? await (await downloadSelected(scope, selector(), "txt")).blob.text()
        : linesOf(chosen, rows);
      if (await copyText(text)) {
        showToast({ title: "Copied", description: `${keys} copied to clipboard`, brief: true });
        return;
      }
      const description = "The browser blocked copying. Download the CSV instead.";
      showToast({ title: "Error", description, style: "destructive" });
    },
    failed: "Failed to copy keys",
  });
  return { copy, csv };
}

/** In the order of the list; keys that have left it come last. */
function linesOf(chosen: ReadonlyMap<number, Key>, rows: readonly Key[]): string {
  const listed = rows.filter(({ id }) => chosen.has(id));
  const ids = new Set(listed.map(({ id }) => id));
  const gone = [...chosen.values()].filter(({ id }) => !ids.has(id));
  return [...listed, ...gone].map(({ keyString }) => `${keyString}\n`).join("");
}
