import { Megaphone } from "lucide-react";
import { useState } from "react";
import type { Update } from "../../src/updates/schema.ts";
import { updateList } from "../api/calls/updates.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { usePreload } from "../runtime/preload.ts";
import { useAskedFor } from "../state/asked-for.ts";
import { Button } from "../ui/button.tsx";
import { lazyDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { PublicCall } from "./updates/public-call.tsx";
import { UpdateList } from "./updates/update-list.tsx";

const loadEditor = () => import("./updates/editor.tsx");
const loadDeletion = () => import("./updates/deletion.tsx");
const loadDialogs = () => Promise.all([loadEditor(), loadDeletion()]);
const Editor = lazyDialog(loadEditor);
const Deletion = lazyDialog(loadDeletion);

/** A dialog keeps what it is about while it closes. */
type Opened<About> = { open: boolean; about: About };

const everything = {};

/** /admin/online-updates (rules.md: Online Updates page). */
export default function Updates() {
  const list = usePagedRows(updateList, everything);
  /** `null` stands for an update that is yet to be created. */
  const [edited, setEdited] = useState<Opened<Update | null> | null>(null);
  const [deleted, setDeleted] = useState<Opened<Update> | null>(null);
  usePreload(loadDialogs);
  const create = () => setEdited({ open: true, about: null });
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
        onEdit={(about) => setEdited({ open: true, about })}
        onDelete={(about) => setDeleted({ open: true, about })}
      />
      {edited && (
        <Editor
          key={edited.about?.id ?? "new"}
          open={edited.open}
          onOpenChange={(open) => setEdited((now) => now && { ...now, open })}
          update={edited.about}
        />
      )}
      {deleted && (
        <Deletion
          open={deleted.open}
          onOpenChange={(open) => setDeleted((now) => now && { ...now, open })}
          update={deleted.about}
        />
      )}
    </>
  );
}
