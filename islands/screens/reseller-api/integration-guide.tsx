import { CodeBlock } from "../../ui/code-block.tsx";
import { steps } from "./steps.ts";

export function IntegrationGuide() {
  return (
    <section className="@container mt-10 border-t border-line pt-8">
      <h2 className="text-lg font-semibold tracking-tight">Integration Guide</h2>
      <p className="mt-1 max-w-2xl text-muted">Four steps from the call above to a game that checks its key.</p>
      <ol className="mt-6 grid gap-8">
        {steps.map(({ title, text, code }, index) => (
          <li key={title} className="grid gap-x-8 gap-y-4 @3xl:grid-cols-2">
            <div className="flex gap-3">
              <span
                aria-hidden
                className="figures grid size-7 shrink-0 place-items-center rounded-full border border-edge bg-raised text-sm font-medium"
              >
                {index + 1}
              </span>
              <div className="min-w-0">
                <h3 className="pt-1 font-medium">{title}</h3>
                <p className="mt-1.5 text-muted">{text}</p>
              </div>
            </div>
            <CodeBlock title={`Step ${index + 1}`} code={code} copyLabel={`Copy step ${index + 1}`} />
          </li>
        ))}
      </ol>
    </section>
  );
}
