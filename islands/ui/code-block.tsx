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
  const parts = code.split(stringOrComment).filter(Boolean);
  return (
    <figure className={clsx("min-w-0 overflow-clip rounded-lg border border-line bg-card", className)}>
      <figcaption className="flex min-h-11 items-center justify-between gap-3 border-b border-line bg-raised py-1 pr-1.5 pl-4 text-sm font-medium">
        {title}
        <CopyButton text={code} label={copyLabel} variant="ghost" className="needs-script" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <section tabIndex={0} aria-label={title} className="overflow-x-auto p-4 -outline-offset-2">
        <pre>
          <code translate="no" className="key-text block w-max leading-5 text-muted">
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
              <span key={index} className={lookOf(part)}>
                {part}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </figure>
  );
}

/** Emphasises strings and dims comments; more would take a parser for each language. */
const stringOrComment = /("(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\/ [^\n]*)/;

function lookOf(part: string): string {
  if (part.startsWith("// ")) return "text-faint";
  return /^["`]/.test(part) ? "text-text" : "";
}
