import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";
import { ErrorState } from "./error-state.tsx";
import { SkeletonCards } from "./skeleton.tsx";
import type { DataTableProps } from "./table/data-table.tsx";
import { ListEnd, type ListEndProps } from "./table/list-end.tsx";

type ListProps<Row extends { id: string | number }> = Pick<
  DataTableProps<Row>,
  "label" | "rows" | "state" | "errorMessage" | "onRetry" | "empty"
>;

interface CardListProps<Row extends { id: string | number }> extends ListProps<Row>, ListEndProps {
  className: string;
  /** How many cards to expect, and how high they are. */
  skeleton: { count: number; className: string };
  children: (row: Row) => ReactNode;
}

/** A list whose rows are cards on every screen. */
export function CardList<Row extends { id: string | number }>(props: CardListProps<Row>) {
  const { label, rows, state, errorMessage = "The list could not be loaded.", onRetry, empty } = props;
  if (rows.length > 0) {
    return (
      <>
        <ul aria-label={label} className={props.className}>
          {rows.map(props.children)}
        </ul>
        <ListEnd {...props} rowCount={rows.length} className="mt-4" />
      </>
    );
  }
  if (state === "loading") {
    return (
      <div className={props.className}>
        <SkeletonCards {...props.skeleton} label={`Loading ${label.toLowerCase()}`} />
      </div>
    );
  }
  const failure = <ErrorState message={errorMessage} onRetry={() => onRetry?.()} retrying={props.refreshing} />;
  return <Card>{state === "error" ? failure : <EmptyState {...empty} />}</Card>;
}

interface CardActionProps extends Pick<ButtonProps, "icon" | "onClick"> {
  label: string;
  /** Which card it is on, for screen readers. */
  about: string;
  danger?: boolean;
}

/** An action of one card of many. */
export function CardAction({ label, about, danger, ...button }: CardActionProps) {
  return (
    <Button {...button} size="small" variant={danger ? "row-danger" : "row"} aria-label={`${label} ${about}`}>
      {label}
    </Button>
  );
}
