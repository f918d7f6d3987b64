import type { UseQueryResult } from "@tanstack/react-query";
import type { TopReseller } from "../../../src/reports/schema.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { creditsWithUnit, pluralText } from "../../format.ts";
import { PageLink } from "../../ui/button.tsx";

/** The resellers who sold most, as bars that lead to their pages. */
export function TopResellers({ query }: { query: UseQueryResult<TopReseller[]> }) {
  const { data, error } = query;
  const most = Math.max(...(data ?? []).map(({ credits }) => credits), 1);
  if (data?.length === 0) return null;
  return (
    <section aria-labelledby="top-resellers" className="mt-6">
      <h3 id="top-resellers" className="mb-1 font-medium">
        Top Resellers
      </h3>
      {error && !data && <QueryFailure query={query} fallback="The resellers could not be loaded." />}
      <ul className="-mx-2">
        {data?.map(({ id, username, keys, credits }) => (
          <li key={id}>
            <PageLink
              href={`/admin/resellers/${id}`}
              className="grid min-h-(--hit) grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-md px-2 py-1.5 transition-colors hover:bg-raised"
            >
              <span translate="no" className="truncate" title={username}>
                {username}
              </span>
              <span className="figures text-sm text-muted">
                {creditsWithUnit(credits)} · {pluralText(keys, "key")}
              </span>
              <span aria-hidden className="col-span-2 mt-1 h-1.5 overflow-clip rounded-sm bg-raised">
                <span className="block h-full rounded-sm bg-brass" style={{ width: `${(credits / most) * 100}%` }} />
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
