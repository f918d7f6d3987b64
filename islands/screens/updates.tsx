import { BellOff, ExternalLink, Megaphone, Pencil, Plus, Radio, Trash2 } from "lucide-react";
import { useState } from "react";
import { isWebAddress } from "../../src/core/text.ts";
import type { Update } from "../../src/updates/schema.ts";
import { publishedPath, updateList } from "../api/calls/updates.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { usePreload } from "../runtime/preload.ts";
import { useHashCommand } from "../state/hash-command.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { CardAction, CardList } from "../ui/card-list.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Verbatim } from "../ui/table/card-text.tsx";
import { Time } from "../ui/time.tsx";

const loadDialogs = () => Promise.all([Editor.load(), Deletion.load()]);
const Editor = lazyDialog(() => import("./updates/editor.tsx"));
const Deletion = lazyDialog(() => import("./updates/deletion.tsx"));

const everything = {};

/** /admin/online-updates (rules.md: Online updates). */
export default function Updates() {
  const list = usePagedRows(updateList, everything);
  // Without an update one is created.
  const [edited, setEdited] = useState<{ open: boolean; update: Update | null }>({ open: false, update: null });
  const deletion = useDialog<{ update: Update }>();
  usePreload(loadDialogs);
  const create = () => setEdited({ open: true, update: null });
  useHashCommand("new", create);

  return (
    <>
      <PageHeading
        title="Online Updates"
        description="Announcements that apps show to players."
        actions={
          <Button variant="primary" icon={<Megaphone size={16} />} onClick={create}>
            Create Update
          </Button>
        }
      />
      <PublicCall />
      <CardList
        {...list}
        label="Updates"
        className="grid gap-4 xl:grid-cols-2"
        skeleton={{ count: 4, className: "h-46" }}
        empty={{
          icon: <BellOff size={20} />,
          title: "No updates yet",
          hint: "Tell players what's new. Apps show every active update.",
          action: (
            <Button icon={<Plus size={16} />} onClick={create}>
              Create First Update
            </Button>
          ),
        }}
      >
        {(update) => (
          <UpdateCard
            key={update.id}
            update={update}
            onEdit={() => setEdited({ open: true, update })}
            onDelete={() => deletion.show({ update })}
          />
        )}
      </CardList>
      <Editor
        key={edited.update?.id ?? "new"}
        {...edited}
        onOpenChange={(open) => setEdited((now) => ({ ...now, open }))}
      />
      {deletion.dialog && <Deletion {...deletion.dialog} />}
    </>
  );
}

/** Notes how apps fetch the updates on this page. */
function PublicCall() {
  return (
    <aside
      aria-label="How apps fetch updates"
      className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-card py-1.5 pr-2 pl-4 md:pl-5"
    >
      <Radio size={18} className="shrink-0 text-muted" />
      <p className="min-w-0 grow py-1.5 text-muted">
        Apps fetch active updates with <Verbatim className="whitespace-nowrap text-text">GET {publishedPath}</Verbatim>,
        newest first.
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

interface UpdateCardProps {
  update: Update;
  onEdit: () => void;
  onDelete: () => void;
}

function UpdateCard({ update, onEdit, onDelete }: UpdateCardProps) {
  const { title, message, isActive } = update;
  return (
    <li className="group/row flex min-h-46 min-w-0 flex-col rounded-lg border border-line bg-card">
      <div className="grow p-4 md:px-5">
        <div className="flex items-start justify-between gap-4">
          <h2 className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">{title}</h2>
          <Badge tone={isActive ? "active" : "revoked"} dot>
            {isActive ? "Active" : "Inactive"}
          </Badge>
        </div>
        <p className="mt-2 whitespace-pre-line text-muted wrap-anywhere">{message}</p>
        <ButtonLine update={update} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2.5 md:px-5">
        <Dates update={update} />
        <span className="ml-auto flex gap-1.5 md:-mr-2.5 md:gap-1">
          <CardAction label="Edit" about={title} icon={<Pencil size={16} />} onClick={onEdit} />
          <CardAction label="Delete" about={title} danger icon={<Trash2 size={16} />} onClick={onDelete} />
        </span>
      </div>
    </li>
  );
}

/** The button that apps show, and its link. Text that is not a web address is not linked. */
function ButtonLine({ update: { buttonText, linkUrl } }: { update: Update }) {
  if (linkUrl === undefined) return null;
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
      {buttonText !== undefined && (
        <span className="rounded-sm border border-edge bg-raised px-2 py-0.5 font-medium wrap-anywhere">
          {buttonText}
        </span>
      )}
      {isWebAddress(linkUrl) ? (
        <a
          href={linkUrl}
          target="_blank"
          rel="noopener noreferrer"
          className="touch inline-flex min-w-0 items-center gap-1.5 rounded-sm text-brass-bright underline underline-offset-2 wrap-anywhere"
        >
          {linkUrl}
          <ExternalLink size={14} className="shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      ) : (
        <span className="min-w-0 text-muted wrap-anywhere">{linkUrl}</span>
      )}
    </p>
  );
}

/** The time of the update is shown whenever it differs, even on the same day (rules.md: Online updates). */
function Dates({ update: { createdAt, updatedAt } }: { update: Update }) {
  return (
    <span className="text-sm text-muted">
      Created <Time value={createdAt} />
      {updatedAt !== createdAt && (
        <>
          <span aria-hidden> · </span>
          <span className="whitespace-nowrap">
            Updated <Time value={updatedAt} />
          </span>
        </>
      )}
    </span>
  );
}
