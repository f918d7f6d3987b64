import { useQuery } from "@tanstack/react-query";
import { msPerDay } from "../../../src/core/clock.ts";
import { rowsPerPageMax } from "../../../src/http/limits.ts";
import { expiringSoonDays, extendedKeysMax } from "../../../src/keys/limits.ts";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { countSelected } from "../../api/calls/key-selection.ts";
import { expiringOwnKeysQuery, ownKeyList } from "../../api/calls/keys.ts";
import { profileQuery } from "../../api/calls/session.ts";
import { refresh, useWork } from "../../api/query.ts";
import { Button } from "../../ui/button.tsx";
import { HeadingLink } from "../../ui/card.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { RecentRows } from "../figures/overview-parts.tsx";
import { timeLeftText } from "../keys/list/key-expiry.tsx";
import type { SelectedDialogProps } from "../keys/list/selection/selected-dialog.tsx";

const SelectedDialog = lazyDialog(() => import("../keys/list/selection/selected-dialog.tsx"));

const own = { area: "reseller" } as const;

/** The keys that expire soon, and a button that extends all of them. The server has counted the rows. */
export default function ExpiringSoon({ rowCount }: { rowCount: number }) {
  const list = useQuery(expiringOwnKeysQuery);
  const { dialog, show } = useDialog<Pick<SelectedDialogProps, "selector" | "counts">>();
  const rows = list.data?.rows.filter(isExpiringSoon);
  const work = useWork({
    mutationFn: async () => {
      const ids = await expiringIds();
      if (ids.length === 0) return onChanged();
      const counts = await countSelected(own, { ids });
      show({ selector: { ids, mark: counts.mark }, counts });
    },
    failed: "The keys could not be counted.",
  });
  const extending = { need: "keys:order", onClick: () => work.mutate() } as const;
  const onChanged = () => void refresh(ownKeyList, profileQuery);
  return (
    <>
      {rows?.length !== 0 && (
        <RecentRows
          title={`Expiring in ${expiringSoonDays} days`}
          description="Extend these keys so that their players keep playing."
          actions={
            <span className="flex gap-2">
              <Button {...extending} size="small" aria-haspopup="dialog" busy={work.isPending}>
                {rowCount === 1 ? "Extend" : "Extend all"}
              </Button>
              <HeadingLink href="/reseller/keys?status=ACTIVE&sort=expiry&descending=false">View all</HeadingLink>
            </span>
          }
          list={{ ...list, data: rows && { rows } }}
          fallback="The keys could not be loaded."
          loading="Loading the keys that expire soon"
          rowCount={rowCount}
          look="flex h-15 items-center justify-between gap-4 px-4 md:px-5"
          hrefOf={({ id }) => `/reseller/keys/${id}`}
          row={(key) => <Row of={key} />}
          skeleton={<Skeleton className="w-44" />}
        />
      )}
      {dialog && <SelectedDialog {...dialog} action="extend" scope={own} onDone={onChanged} onChanged={onChanged} />}
    </>
  );
}

function isExpiringSoon({ expiryDate }: ResellerKey): boolean {
  return expiryDate !== null && Date.parse(expiryDate) < Date.now() + expiringSoonDays * msPerDay;
}

/** At most as many as one call extends. */
async function expiringIds(): Promise<number[]> {
  const query = { status: "ACTIVE", sort: "expiry", order: "asc", limit: rowsPerPageMax } as const;
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await ownKeyList.getPage({ ...query, cursor }, new AbortController().signal);
    const soon = rows.filter(isExpiringSoon);
    ids.push(...soon.map(({ id }) => id));
    cursor = soon.length < rows.length ? undefined : (nextCursor ?? undefined);
  } while (cursor !== undefined && ids.length < extendedKeysMax);
  return ids.slice(0, extendedKeysMax);
}

function Row({ of: key }: { of: ResellerKey }) {
  return (
    <>
      <span className="min-w-0">
        <span translate="no" className="key-text block truncate" title={key.keyString}>
          {key.keyString}
        </span>
        {key.note && <span className="block truncate text-sm text-muted">{key.note}</span>}
      </span>
      <span className="figures shrink-0 text-right text-sm text-muted">
        <Time value={key.expiryDate} format="dateAndTime" />
        <span className="block text-xs">{timeLeftText(key)}</span>
      </span>
    </>
  );
}
