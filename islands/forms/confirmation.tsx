import type { ComponentProps } from "react";
import { ApiFailure, closeAfter } from "../api/api.ts";
import { useWork, type WorkOptions } from "../api/query.ts";
import { Confirm } from "../ui/dialog/confirm.tsx";

type Work<Result> = Pick<WorkOptions<Result, void>, "done" | "failed" | "onSuccess" | "onSettled"> & {
  mutationFn: NonNullable<WorkOptions<Result, void>["mutationFn"]>;
};

interface ConfirmationProps<Result> extends Work<Result>, Omit<ComponentProps<typeof Confirm>, "onConfirm"> {
  /** After these refusals nothing is left to confirm, so the dialog closes. The toast says why. */
  closesAfter?: readonly string[];
  /** What the toast says after some of them, instead of the server's sentence. */
  sentences?: Partial<Record<string, string>>;
}

/** Asks before it does a work, whose outcome is a toast. */
export function Confirmation<Result>(props: ConfirmationProps<Result>) {
  const { mutationFn, done, failed, onSuccess, onSettled, closesAfter = [], sentences = {}, ...confirm } = props;
  const { mutateAsync } = useWork({
    mutationFn: (...given) => mutationFn(...given).catch((error) => Promise.reject(reworded(error, sentences))),
    ...{ done, failed, onSuccess, onSettled },
  });
  return <Confirm {...confirm} onConfirm={() => mutateAsync().catch(closeAfter(...closesAfter))} />;
}

function reworded(error: unknown, sentences: Partial<Record<string, string>>): unknown {
  const sentence = error instanceof ApiFailure && sentences[error.code ?? ""];
  return sentence ? new ApiFailure(error.status, sentence, error.code) : error;
}
