import { useSignals } from "@preact/signals-react/runtime";
import { type ComponentType, useState } from "react";
import { type Load, lostPartSentence, useLazy } from "../../runtime/lazy.ts";
import { online } from "../../state/signals.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";

/** A tab whose script is loaded when it is first selected, and again on Retry and when the network is back. */
export function lazyTab<Props extends object>(load: Load<Props>): ComponentType<Props> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, where modules are loaded.
  return function LazyTab(props) {
    useSignals();
    const [tries, setTries] = useState(0);
    const { Part, lost } = useLazy(load, `${tries} ${online.value}`);
    if (Part) return <Part {...props} />;
    if (lost) return <ErrorState message={lostPartSentence} onRetry={() => setTries(tries + 1)} />;
    return <SkeletonCards count={2} label="Loading" className="mb-4 h-48" />;
  };
}
