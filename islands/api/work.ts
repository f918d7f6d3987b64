import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useOnce } from "../runtime/once.ts";
import { showToast } from "../ui/toast/store.ts";
import { failureText } from "./api.ts";

interface WorkOptions<Result, Given> extends UseMutationOptions<Result, Error, Given> {
  /** The text of the toast after a success. */
  done?: string | ((result: Result) => string);
  /** The text of the toast after a failure for which the server has no sentence. */
  failed?: string | ((error: Error, given: Given) => string);
}

/** A mutation that a double press starts once, with its toasts. The structure test allows no other mutations. */
export function useWork<Result, Given = void>({ done, failed, ...options }: WorkOptions<Result, Given>) {
  const { mutateAsync, isPending } = useMutation<Result, Error, Given>({
    ...options,
    onSuccess: (result, ...more) => {
      if (done) showToast({ title: "Success", description: typeof done === "string" ? done : done(result) });
      return options.onSuccess?.(result, ...more);
    },
    onError: (error, given, ...more) => {
      if (failed) showFailure(error, typeof failed === "string" ? failed : failed(error, given));
      return options.onError?.(error, given, ...more);
    },
  });
  const { start, isHeld } = useOnce((given: Given) => mutateAsync(given));
  return {
    /** For a button that stays: it also ignores the second press of a double click. A toast reports the failure. */
    mutate: (given: Given) => void (isHeld() || start(given).catch(() => {})),
    /** For a dialog, which closes when this resolves. */
    mutateAsync: start,
    isPending,
    /** Whether a press is refused now, because the work is running or has just been done. */
    isHeld,
  };
}

/** The error toast: the server's sentence if there is one, else the screen's text (rules.md: Toasts). */
export function showFailure(error: unknown, fallback: string): void {
  showToast({ title: "Error", description: failureText(error, fallback), style: "destructive" });
}
