import type { ComponentProps } from "react";
import { closeAfter } from "../api/api.ts";
import { useWork, type WorkOptions } from "../api/query.ts";
import { Confirm } from "../ui/dialog/confirm.tsx";

type Work<Result> = Pick<WorkOptions<Result, void>, "mutationFn" | "done" | "failed" | "onSuccess" | "onSettled">;

interface ConfirmationProps<Result> extends Work<Result>, Omit<ComponentProps<typeof Confirm>, "onConfirm"> {
  /** After these refusals nothing is left to confirm, so the dialog closes. The toast says why. */
  closesAfter?: readonly string[];
}

/** Asks before it does a work, whose outcome is a toast. */
export function Confirmation<Result>(props: ConfirmationProps<Result>) {
  const { mutationFn, done, failed, onSuccess, onSettled, closesAfter = [], ...confirm } = props;
  const { mutateAsync } = useWork({ mutationFn, done, failed, onSuccess, onSettled });
  return <Confirm {...confirm} onConfirm={() => mutateAsync().catch(closeAfter(...closesAfter))} />;
}
