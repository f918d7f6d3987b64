import { clsx } from "clsx";
import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  title: string;
  code: string;
  /** The label of the button: 'Copy request'. */
  copyLabel: string;
  className?: string;
}

/** Code to read and copy. Long lines scroll inside the block, also by keyboard. */
export function CodeBlock({ title, code, copyLabel, className }: CodeBlockProps) {
  return (
    <figure className={clsx("min-w-0 overflow-clip rounded-lg border border-line bg-card", className)}>
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line bg-raised py-1 pr-1.5 pl-4 text-sm font-medium">
        {title}
        <CopyButton text={code} label={copyLabel} variant="ghost" className="needs-script" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <section tabIndex={0} aria-label={title} className="overflow-x-auto p-4 -outline-offset-2">
        <pre>
          <code className="key-text block w-max leading-5 text-muted">
            {partsOf(code).map(({ text, kind }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
              <span key={index} className={lookOf[kind]}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </figure>
  );
}

const lookOf = { plain: "", value: "text-text", remark: "text-faint" } as const;

/** Emphasises strings and dims comments; more would take a parser for each language. */
function partsOf(code: string): { text: string; kind: keyof typeof lookOf }[] {
  return code
    .split(/("(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\/ [^\n]*)/)
    .filter((text) => text !== "")
    .map((text) => ({ text, kind: text.startsWith("// ") ? "remark" : /^["`]/.test(text) ? "value" : "plain" }));
}
