import type { UseQueryResult } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { recentRowsMax } from "../../../src/http/limits.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { Button, PageLink } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { EmptyState, type EmptyStateProps } from "../../ui/empty-state.tsx";

/** For staff who may read nothing of an overview. */
export const nothingHere = { title: "No figures for your account", hint: "Your pages are in the navigation." };

/** The place of a figure that could not be loaded. */
export const unknownFigure = <span title="Could not be loaded">–</span>;

interface FiguresFailureProps {
  sentence: string;
  /** The failed ones. */
  queries: readonly Pick<UseQueryResult, "isFetching" | "refetch">[];
}

/** Below the figures: some are missing, with a button that tries again. */
export function FiguresFailure({ sentence, queries }: FiguresFailureProps) {
  const retry = () => {
    for (const { refetch } of queries) void refetch();
  };
  return (
    <div
      role="alert"
      className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-danger-line bg-danger-soft px-4 py-2"
    >
      {sentence}
      <Button
        size="small"
        icon={<RotateCw size={16} />}
        busy={queries.some(({ isFetching }) => isFetching)}
        onClick={retry}
      >
        Retry
      </Button>
    </div>
  );
}

interface RecentRowsProps<Row extends { id: number }> extends ComponentProps<typeof CardHeading> {
  list: Pick<UseQueryResult<{ rows: Row[] }>, "data" | "error" | "isFetching" | "refetch">;
  /** Shown if they cannot be loaded and the server has no sentence, instead of what it sent. */
  fallback?: string;
  empty?: EmptyStateProps;
  row: (row: Row) => ReactNode;
  hrefOf: (row: Row) => string;
  /** The look of a row, and its content while it loads. */
  look: string;
  skeleton: ReactNode;
  /** Read out while the rows load. */
  loading: string;
  /** How many rows are expected. */
  rowCount?: number;
}

/** The newest rows of a list, on an overview, with as many skeletons of the same height while they load. */
export function RecentRows<Row extends { id: number }>(props: RecentRowsProps<Row>) {
  return (
    <Card className="mt-8 overflow-clip">
      <CardHeading title={props.title} description={props.description} actions={props.actions} />
      <Rows {...props} />
    </Card>
  );
}

function Rows<Row extends { id: number }>(props: RecentRowsProps<Row>) {
  const { data, error } = props.list;
  if (error) return <QueryFailure query={props.list} fallback={props.fallback} />;
  if (!data) {
    return (
      <div role="status" aria-label={props.loading} className="border-t border-line">
        {Array.from({ length: props.rowCount ?? recentRowsMax }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places.
          <div key={index} className={`${props.look} border-line not-last:border-b`}>
            {props.skeleton}
          </div>
        ))}
      </div>
    );
  }
  if (data.rows.length === 0) return props.empty && <EmptyState {...props.empty} />;
  return (
    <ul className="border-t border-line">
      {data.rows.map((row) => (
        <li key={row.id} className="border-line not-last:border-b">
          <PageLink
            href={props.hrefOf(row)}
            className={`${props.look} -outline-offset-2 transition-colors hover:bg-raised`}
          >
            {props.row(row)}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
