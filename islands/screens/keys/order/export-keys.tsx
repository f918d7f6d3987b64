import { useAtomValue } from "jotai";
import { CalendarClock, FileSpreadsheet, FileText, List, ListOrdered, MessageSquareText, Pencil } from "lucide-react";
import { useState } from "react";
import { pluralText } from "../../../format.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { messageAtom } from "../../../state/atoms.ts";
import { CopyButton, copyText } from "../../../ui/copy-button.tsx";
import { lazyDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import { saveAs } from "../../../ui/download.ts";
import type { MenuItem } from "../../../ui/menu.tsx";
import { loadMenu, MenuButton } from "../../../ui/menu-button.tsx";
import { ShareButton, useCanShare } from "../../../ui/share-button.tsx";
import { showToast } from "../../../ui/toast/store.ts";
import {
  asLines,
  asMessage,
  asNumbered,
  batchAsCsv,
  batchAsText,
  batchFileName,
  type GeneratedKey,
  messageDefault,
  withExpiry,
} from "./batch.ts";

const loadParts = () => Promise.all([loadMenu(), Message.load()]);
const Message = lazyDialog(() => import("./message.tsx"));

interface Batch {
  keys: readonly GeneratedKey[];
}

interface ExportKeysProps extends Batch {
  /** Further items of the menu. */
  more?: readonly MenuItem[];
}

/** On a phone Share comes first, if the browser has it; elsewhere Copy does. All other formats are in a menu. */
export function ExportKeys({ keys, more = [] }: ExportKeysProps) {
  const shares = useCanShare();
  return (
    <div className="flex gap-2 max-md:w-full">
      {shares && <Share keys={keys} />}
      <CopyButton
        label="Copy All"
        variant={shares ? "secondary" : "primary"}
        className="max-md:grow"
        text={() => batchAsText(keys)}
        onCopied={() => showCopied(keys)}
      />
      <More keys={keys} more={more} />
    </div>
  );
}

/** Shares the saved message, else only the keys. */
export function Share({ keys }: Batch) {
  const message = useAtomValue(messageAtom);
  const text = message === "" ? asLines(keys) : asMessage(message, keys);
  return <ShareButton data={{ text }} failed="The keys could not be shared. Copy them instead." />;
}

function More({ keys, more }: Required<ExportKeysProps>) {
  const message = useAtomValue(messageAtom) || messageDefault;
  const [editing, setEditing] = useState(false);
  usePreload(loadParts);

  const copying = (label: string, Icon: typeof List, text: () => string): MenuItem => ({
    label,
    icon: <Icon size={16} />,
    onSelect: () => void copy(text(), keys),
  });
  const items: MenuItem[] = [
    copying("Copy as lines", List, () => asLines(keys)),
    copying("Copy numbered", ListOrdered, () => asNumbered(keys)),
    copying("Copy with expiry", CalendarClock, () => withExpiry(keys)),
    copying("Copy as message", MessageSquareText, () => asMessage(message, keys)),
    { label: "Edit message", icon: <Pencil size={16} />, onSelect: () => setEditing(true) },
    {
      label: "Download TXT",
      icon: <FileText size={16} />,
      onSelect: () => saveAs(batchFileName(keys, "txt"), batchAsText(keys)),
    },
    {
      label: "Download CSV",
      icon: <FileSpreadsheet size={16} />,
      onSelect: () => saveAs(batchFileName(keys, "csv"), batchAsCsv(keys), "text/csv"),
    },
    ...more,
  ];
  return (
    <>
      <MenuButton about="More" items={items} />
      <Message open={editing} onOpenChange={setEditing} keys={keys} />
    </>
  );
}

async function copy(text: string, keys: readonly GeneratedKey[]): Promise<void> {
  if (await copyText(text)) return showCopied(keys);
  showToast({ title: "Error", description: "The browser blocked copying.", style: "destructive" });
}

function showCopied(keys: readonly GeneratedKey[]): void {
  showToast({ title: "Copied", description: `${pluralText(keys.length, "key")} copied to clipboard`, brief: true });
}
