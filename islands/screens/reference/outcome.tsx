import { type ReactNode, useEffect, useRef } from "react";
import { failureText } from "../../api/api.ts";
import { CodeBlock } from "../../ui/code-block.tsx";

/** The outcome of a trial: the response and its time, or why there is none. */
export type Outcome<Answer> = { answer: Answer; tookMs: number } | { failure: string };

/** Runs a call and returns its outcome as a value, failures too. */
export async function runTrial<Answer>(ask: () => Promise<Answer>): Promise<Outcome<Answer>> {
  const startedMs = performance.now();
  try {
    const answer = await ask();
    return { answer, tookMs: Math.round(performance.now() - startedMs) };
  } catch (error) {
    return { failure: failureText(error, "No answer came. Check the network and try again.") };
  }
}

interface OutcomeViewProps<Answer> {
  outcome: Outcome<Answer> | null;
  /** The response in words, shown above its JSON. */
  inWords: (answer: Answer) => ReactNode;
}

/**
 * In the page while still empty, because only then its content is announced. On a phone it lies below the window, and
 * is scrolled into view.
 */
export function OutcomeView<Answer>({ outcome, inWords }: OutcomeViewProps<Answer>) {
  const statusArea = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome) statusArea.current?.scrollIntoView({ block: "nearest" });
  }, [outcome]);
  const answered = outcome && "answer" in outcome ? outcome : null;
  return (
    <>
      <div ref={statusArea} role="status" className="scroll-mb-24">
        {answered && <div className="mt-3">{inWords(answered.answer)}</div>}
        {outcome && "failure" in outcome && <p className="mt-3 text-danger-text">{outcome.failure}</p>}
      </div>
      {answered && (
        <CodeBlock
          title={`Answered in ${answered.tookMs} ms`}
          code={JSON.stringify(answered.answer, null, 2)}
          copyLabel="Copy answer"
          className="mt-3"
        />
      )}
    </>
  );
}
