import type { ComponentType, ReactNode } from "react";
import { type Load, lostPartSentence, useLazy } from "../runtime/lazy.ts";
import { ErrorState } from "./error-state.tsx";

/** A part of the page whose script is loaded when it is first rendered. `loading` is shown until then. */
export function lazyPart<Props extends object>(load: Load<Props>, loading: ReactNode = null): ComponentType<Props> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, where modules are loaded.
  return function LazyPart(props) {
    const { Part, lost, retry } = useLazy(load, true);
    if (Part) return <Part {...props} />;
    return lost ? <ErrorState message={lostPartSentence} onRetry={retry} /> : loading;
  };
}
