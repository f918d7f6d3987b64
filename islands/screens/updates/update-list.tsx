import { BellOff, ExternalLink, Pencil, Plus, Trash2 } from "lucide-react";
import { isWebAddress } from "../../../src/core/text.ts";
import type { Update } from "../../../src/updates/schema.ts";
import type { PagedRows } from "../../api/paged-rows.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { ListEnd } from "../../ui/table/list-end.tsx";
import { Time } from "../../ui/time.tsx";

const gridLook = "grid gap-4 xl:grid-cols-2";

/** Newest first, as for apps. */
export function UpdateList({
  list,
  onCreate,
  ...acts
}: UpdateCardActs & { list: PagedRows<Update>; onCreate: () => void }) {
  if (list.rows.length > 0) return <Cards list={list} {...acts} />;
  if (list.state === "loading") {
    return (
      <div className={gridLook}>
        <SkeletonCards count={4} label="Loading the updates" className="h-46" />
      </div>
    );
  }
  if (list.state === "error") {
    return (
      <Card>
        <ErrorState
          message={list.errorMessage ?? "The updates could not be loaded."}
          onRetry={list.onRetry}
          retrying={list.refreshing}
        />
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState
        icon={<BellOff size={20} />}
        title="No updates yet"
        hint="Tell the players what is new: apps show every active update."
        action={
          <Button icon={<Plus aria-hidden size={16} />} onClick={onCreate}>
            Create First Update
          </Button>
        }
      />
    </Card>
  );
}

function Cards({ list, ...acts }: UpdateCardActs & { list: PagedRows<Update> }) {
  return (
    <>
      <ul aria-label="Updates" className={gridLook}>
        {list.rows.map((update) => (
          <UpdateCard key={update.id} update={update} {...acts} />
        ))}
      </ul>
      <ListEnd {...list} rowCount={list.rows.length} className="mt-4" />
    </>
  );
}

export interface UpdateCardActs {
  onEdit: (update: Update) => void;
  onDelete: (update: Update) => void;
}

export function UpdateCard({ update, onEdit, onDelete }: UpdateCardActs & { update: Update }) {
  const { title, message, isActive } = update;
  return (
    <li className="group/row flex min-h-46 min-w-0 flex-col rounded-lg border border-line bg-card">
      <div className="grow p-4 md:px-5">
        <div className="flex items-start justify-between gap-4">
          <h2 className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">{title}</h2>
          <StatusBadge isActive={isActive} />
        </div>
        <p className="mt-2 whitespace-pre-line text-muted wrap-anywhere">{message}</p>
        <ButtonLine update={update} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2.5 md:px-5">
        <Dates update={update} />
        <span className="-mr-2.5 ml-auto flex gap-1">
          <Button
            size="small"
            variant="row"
            aria-label={`Edit ${title}`}
            icon={<Pencil aria-hidden size={16} />}
            onClick={() => onEdit(update)}
          >
            Edit
          </Button>
          <Button
            size="small"
            variant="row-danger"
            aria-label={`Delete ${title}`}
            icon={<Trash2 aria-hidden size={16} />}
            onClick={() => onDelete(update)}
          >
            Delete
          </Button>
        </span>
      </div>
    </li>
  );
}

function StatusBadge({ isActive }: { isActive: boolean }) {
  return (
    <Badge tone={isActive ? "active" : "revoked"} dot>
      {isActive ? "Active" : "Inactive"}
    </Badge>
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
          className="inline-flex min-w-0 items-center gap-1.5 rounded-sm text-brass-bright underline underline-offset-2 wrap-anywhere"
        >
          {linkUrl}
          <ExternalLink aria-hidden size={14} className="shrink-0" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      ) : (
        <span className="min-w-0 text-muted wrap-anywhere">{linkUrl}</span>
      )}
    </p>
  );
}

/** The time of the update is shown whenever it differs, even on the same day (rules.md: Online Updates page). */
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
