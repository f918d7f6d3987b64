import { Megaphone, Radio } from "lucide-react";
import { useState } from "react";
import type { Update } from "../../src/updates/schema.ts";
import { publishedPath, updateList } from "../api/calls/updates.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { usePreload } from "../runtime/preload.ts";
import { useAskedFor } from "../state/asked-for.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { UpdateList } from "./updates/update-list.tsx";

const loadEditor = () => import("./updates/editor.tsx");
const loadDeletion = () => import("./updates/deletion.tsx");
const loadDialogs = () => Promise.all([loadEditor(), loadDeletion()]);
const Editor = lazyDialog(loadEditor);
const Deletion = lazyDialog(loadDeletion);

const everything = {};

/** /admin/online-updates (rules.md: Online Updates page). */
export default function Updates() {
  const list = usePagedRows(updateList, everything);
  // A dialog keeps its update while it closes. Without one, an update is created.
  const [edited, setEdited] = useState<{ open: boolean; update: Update | null }>({ open: false, update: null });
  const [deleted, setDeleted] = useState<{ open: boolean; update: Update } | null>(null);
  usePreload(loadDialogs);
  const create = () => setEdited({ open: true, update: null });
  useAskedFor("new", create);

  return (
    <>
      <PageHeading
        title="Online Updates"
        description="Announcements that apps show to their players."
        actions={
          <Button variant="primary" icon={<Megaphone aria-hidden size={16} />} onClick={create}>
            Create Update
          </Button>
        }
      />
      <PublicCall />
      <UpdateList
        list={list}
        onCreate={create}
        onEdit={(update) => setEdited({ open: true, update })}
        onDelete={(update) => setDeleted({ open: true, update })}
      />
      <Editor
        key={edited.update?.id ?? "new"}
        {...edited}
        onOpenChange={(open) => setEdited((now) => ({ ...now, open }))}
      />
      {deleted && <Deletion {...deleted} onOpenChange={(open) => setDeleted({ ...deleted, open })} />}
    </>
  );
}

/** Notes how apps fetch the updates on this page (rules.md: Online Updates page). */
function PublicCall() {
  return (
    <aside
      aria-label="How apps fetch updates"
      className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-card py-1.5 pr-2 pl-4 md:pl-5"
    >
      <Radio aria-hidden size={18} className="shrink-0 text-muted" />
      <p className="min-w-0 grow py-1.5 text-muted">
        Apps fetch active updates with <code className="key-text whitespace-nowrap text-text">GET {publishedPath}</code>
        , newest first.
      </p>
      {/* Its tip is aligned to its end: a centred one would make the page wider than a phone. */}
      <CopyButton
        iconOnly
        label="Copy address"
        variant="ghost"
        className="after:end-0 after:translate-none"
        text={() => `${window.location.origin}${publishedPath}`}
      />
    </aside>
  );
}
