import type { UseQueryResult } from "@tanstack/react-query";
import { ErrorState } from "../ui/error-state.tsx";
import { failureText } from "./api.ts";

interface QueryFailureProps {
  query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  /** Shown if the server has no sentence. */
  fallback: string;
}

/** Why a query failed, with a button that tries again. */
export function QueryFailure({ query: { error, isFetching, refetch }, fallback }: QueryFailureProps) {
  return <ErrorState message={failureText(error, fallback)} onRetry={() => void refetch()} retrying={isFetching} />;
}
