import { BellOff, Plus } from "lucide-react";
import type { Update } from "../../../src/updates/schema.ts";
import type { PagedRows } from "../../api/paged-rows.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { ListEnd } from "../../ui/table/list-end.tsx";
import { UpdateCard, type UpdateCardActs } from "./update-card.tsx";

const gridLook = "grid gap-4 xl:grid-cols-2";

/** Newest first, as apps get them. */
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
