import type { UseQueryResult } from "@tanstack/react-query";
import { EmptyState, type EmptyStateProps } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { ApiFailure, failureText } from "./api.ts";

interface QueryFailureProps {
  query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  /** Shown if the server has no sentence, instead of what it sent. */
  fallback?: string;
  /** Shown instead if there is no such record. */
  notFound?: EmptyStateProps;
}

/** Why a query failed, with a button that tries again. */
export function QueryFailure({ query, fallback, notFound }: QueryFailureProps) {
  const { error, isFetching, refetch } = query;
  if (notFound && error instanceof ApiFailure && error.status === 404) return <EmptyState {...notFound} />;
  const message = failureText(error, fallback ?? error?.message ?? "");
  return <ErrorState message={message} onRetry={() => void refetch()} retrying={isFetching} />;
}

type WholeList<Row> = Pick<UseQueryResult, "error" | "isLoadingError" | "isFetching" | "refetch"> & {
  data: Row[] | undefined;
};

/** A list that is loaded at once, as the props of `DataTable`. */
export function wholeList<Row>(query: WholeList<Row>, failure: string) {
  const { data, error, isLoadingError, isFetching, refetch } = query;
  return {
    rows: data ?? none,
    state: data ? "ready" : error ? "error" : "loading",
    errorMessage: failureText(error, failure),
    onRetry: () => void refetch(),
    refreshing: isLoadingError && isFetching,
  } as const;
}

const none: never[] = [];
