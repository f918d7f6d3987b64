import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useOnce } from "../runtime/once.ts";

/** A mutation that a double press starts once. The structure test lets nobody else have one. */
export function useWork<Answer, Given = void>(options: UseMutationOptions<Answer, Error, Given>) {
  const { mutateAsync, isPending } = useMutation(options);
  const { start, isHeld } = useOnce((given: Given) => mutateAsync(given));
  return {
    /** For a button that stays: it also ignores the second press of a double click. What went wrong is said by `onError`. */
    mutate: (given: Given) => void (isHeld() || start(given).catch(() => {})),
    /** For a dialog, which is gone when this is done. */
    mutateAsync: start,
    isPending,
    /** Whether a press is refused now: it is at work, or has been done a moment ago. */
    isHeld,
  };
}
