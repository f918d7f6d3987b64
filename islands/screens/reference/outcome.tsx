import { type ReactNode, useEffect, useRef } from "react";
import { failureText } from "../../api/api.ts";
import { CodeBlock } from "../../ui/code-block.tsx";

/** The outcome of a trial: the response and its time, or why there is none. */
export type Outcome<Result> = { result: Result; tookMs: number } | { failure: string };

/** Runs a call and returns its outcome as a value, failures too. */
export async function runTrial<Result>(ask: () => Promise<Result>): Promise<Outcome<Result>> {
  const startedMs = performance.now();
  try {
    const result = await ask();
    return { result, tookMs: Math.round(performance.now() - startedMs) };
  } catch (error) {
    return { failure: failureText(error, "No response. Check your connection and try again.") };
  }
}

interface OutcomeViewProps<Result> {
  outcome: Outcome<Result> | null;
  /** The response in words, shown above its JSON. */
  inWords: (result: Result) => ReactNode;
}

/**
 * In the page while still empty, because only then its content is announced. On a phone it lies below the window, and
 * is scrolled into view.
 */
export function OutcomeView<Result>({ outcome, inWords }: OutcomeViewProps<Result>) {
  const statusArea = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome) statusArea.current?.scrollIntoView({ block: "nearest" });
  }, [outcome]);
  const succeeded = outcome && "result" in outcome ? outcome : null;
  return (
    <>
      <div ref={statusArea} role="status" className="scroll-mb-24">
        {succeeded && <div className="mt-3">{inWords(succeeded.result)}</div>}
        {outcome && "failure" in outcome && <p className="mt-3 text-danger-text">{outcome.failure}</p>}
      </div>
      {succeeded && (
        <CodeBlock
          title={`Response in ${succeeded.tookMs} ms`}
          code={JSON.stringify(succeeded.result, null, 2)}
          copyLabel="Copy result"
          className="mt-3"
        />
      )}
    </>
  );
}
