import type { ReactNode } from "react";
import { type Call, type Field, swaggerAddress } from "../../../src/reference/call.ts";
import { Badge } from "../../ui/badge.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Entries } from "./entries.tsx";
import { FailureOutcomes, VerdictOutcomes } from "./outcome-lists.tsx";
import { SampleTabs } from "./samples.tsx";
import type { Reading } from "./use-reading.ts";

interface CallReferenceProps {
  call: Call;
  givesVerdict: boolean;
  reading: Reading;
  /** Sends the call from here. */
  trial: ReactNode;
}

/** One call: what it is told and what it answers on the left, the examples to copy on the right, or below on a phone. */
export function CallReference({ call, givesVerdict, reading, trial }: CallReferenceProps) {
  return (
    <section className="@container">
      <h2 className="text-lg font-semibold tracking-tight">{call.title}</h2>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <Badge tone="plain">{call.method}</Badge>
        <code className="key-text break-all">{call.path}</code>
        <a href={swaggerAddress(call)} className="inline-flex min-h-(--hit-small) items-center underline">
          In Swagger
        </a>
      </p>
      <p className="mt-3 max-w-2xl text-muted">{call.description}</p>
      <div className="mt-5 grid gap-x-8 gap-y-6 @3xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-6">
          {/* Above what there is to read: on a phone it would stand pages below the thumb. */}
          {trial}
          <FieldList title="Parameters" fields={call.parameters} saysRequired />
          <FieldList title="Answer" fields={call.fields} />
          {givesVerdict ? <VerdictOutcomes /> : <FailureOutcomes statuses={call.failures} />}
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <SampleTabs call={call} reading={reading} />
          <CodeBlock title="Request" code={reading.addressed(call.request)} copyLabel="Copy request" />
          <CodeBlock title="Response" code={JSON.stringify(call.response, null, 2)} copyLabel="Copy response" />
          {givesVerdict && <FailureOutcomes statuses={call.failures} />}
        </div>
      </div>
    </section>
  );
}

function FieldList({ title, fields, saysRequired }: { title: string; fields: Field[]; saysRequired?: boolean }) {
  return (
    <Entries
      title={title}
      entries={fields.map(({ name, type, optional = false, description }) => ({
        term: name,
        note: `${type}${optional ? ", optional" : saysRequired ? ", required" : ""}`,
        description,
      }))}
    />
  );
}
