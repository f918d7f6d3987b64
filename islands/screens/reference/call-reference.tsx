import type { ReactNode } from "react";
import {
  type Call,
  type Field,
  failureOutcomes,
  type Language,
  languageIds,
  languages,
  swaggerAddress,
  verdictOutcomes,
} from "../../../src/reference/call.ts";
import { Badge } from "../../ui/badge.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import type { Reading } from "./reading.tsx";

interface CallReferenceProps {
  call: Call;
  givesVerdict: boolean;
  reading: Reading;
  /** Sends the call from the page. */
  trial: ReactNode;
}

/** One call: its parameters and its response on the left, the examples to copy on the right, or below on a phone. */
export function CallReference({ call, givesVerdict, reading, trial }: CallReferenceProps) {
  const failures = <Entries title="Failures" entries={failuresOf(call)} />;
  return (
    <section className="@container">
      <h2 className="text-lg font-semibold tracking-tight">{call.title}</h2>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <Badge tone="plain">{call.method}</Badge>
        <Verbatim className="break-all">{call.path}</Verbatim>
        <a href={swaggerAddress(call)} className="inline-flex min-h-(--hit-small) items-center underline">
          In Swagger
        </a>
      </p>
      <p className="mt-3 max-w-2xl text-muted">{call.description}</p>
      <div className="mt-5 grid gap-x-8 gap-y-6 @3xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-6">
          {/* First, because on a phone it would be pages below otherwise. */}
          {trial}
          <Entries title="Parameters" entries={entriesOf(call.parameters, ", required")} />
          <Entries title="Response Fields" entries={entriesOf(call.fields)} />
          {givesVerdict ? <Entries title="Verdicts" entries={verdicts} /> : failures}
        </div>
        <div className="grid min-w-0 content-start gap-4">
          {/* The same call in six languages. Without JavaScript the page shows the language chosen last. */}
          <div className="min-w-0">
            <Tabs
              label="Languages"
              wide
              tabs={languageIds.map((id) => ({
                id,
                label: languages[id],
                panel: (
                  <CodeBlock
                    title={languages[id]}
                    code={reading.addressed(call.samples[id])}
                    copyLabel={`Copy ${languages[id]}`}
                  />
                ),
              }))}
              selected={reading.language}
              onSelect={(id) => reading.chooseLanguage(id as Language)}
            />
          </div>
          <CodeBlock title="Request" code={reading.addressed(call.request)} copyLabel="Copy request" />
          <CodeBlock title="Response" code={JSON.stringify(call.response, null, 2)} copyLabel="Copy response" />
          {givesVerdict && failures}
        </div>
      </div>
    </section>
  );
}

interface Entry {
  term: string;
  note?: string;
  description: string;
}

/** What stands between backticks, as code. */
function withCode(text: string): ReactNode {
  return text.split("`").map((part, index) => {
    if (index % 2 === 0) return <span key={part}>{part}</span>;
    return (
      <code key={part} translate="no" className="key-text text-text">
        {part}
      </code>
    );
  });
}

/** Terms, each with its meaning. */
export function Entries({ title, entries }: { title?: string; entries: Entry[] }) {
  return (
    <div>
      {title && <h3 className="mb-1 font-medium">{title}</h3>}
      <dl className="divide-y divide-line">
        {entries.map(({ term, note, description }) => (
          <div key={term} className="py-2.5">
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <Verbatim className="break-all">{term}</Verbatim>
              {note && <span className="text-sm text-faint">{note}</span>}
            </dt>
            <dd className="mt-0.5 text-muted">{withCode(description)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const verdicts = Object.entries(verdictOutcomes).map(([term, description]) => ({ term, description }));

function entriesOf(fields: Field[], required = ""): Entry[] {
  return fields.map(({ name, type, optional, description }) => ({
    term: name,
    note: `${type}${optional ? ", optional" : required}`,
    description,
  }));
}

/** The failures that this call can have. */
function failuresOf(call: Call): Entry[] {
  return failureOutcomes
    .map(({ what, statuses }) => ({
      term: statuses.filter((status) => call.failures.includes(status)).join(", "),
      description: what,
    }))
    .filter(({ term }) => term !== "");
}
