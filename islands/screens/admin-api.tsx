import type { Language } from "../../src/reference/call.ts";
import { documentedCalls } from "../../src/reference/sample-pages.ts";
import { useUrlState } from "../state/url-state.ts";
import { Tabs } from "../ui/tabs.tsx";
import { CallReference } from "./reference/call-reference.tsx";
import { AddressNote, useReading } from "./reference/reading.tsx";
import { KeyTrial, UpdatesTrial } from "./reference/trials.tsx";

const defaults = { tab: "post" };

const documented = [
  { id: "post", label: "POST Method", givesVerdict: true, Trial: KeyTrial },
  { id: "get", label: "GET Method", givesVerdict: true, Trial: KeyTrial },
  { id: "updates", label: "Online Updates", givesVerdict: false, Trial: UpdatesTrial },
] as const;

/**
 * /admin/api (rules.md: API pages). The tab is in the address, so that the server can render each of them without
 * JavaScript.
 */
export default function AdminApiScreen({ search, language }: { search: string; language: Language }) {
  const reading = useReading(language);
  const { values, change } = useUrlState(defaults, search);
  return (
    <>
      <AddressNote reading={reading} />
      <TabsWithoutScript />
      <Tabs
        label="Calls"
        tabs={documented.map(({ id, label, givesVerdict, Trial }) => ({
          id,
          label,
          panel: <CallReference {...{ givesVerdict, reading }} call={documentedCalls[id]} trial={<Trial />} />,
        }))}
        selected={values.tab}
        onSelect={(tab) => change({ tab })}
      />
    </>
  );
}

function TabsWithoutScript() {
  return (
    <noscript>
      <nav aria-label="Calls" className="mb-4 flex flex-wrap gap-x-5 gap-y-2">
        {documented.map(({ id, label }) => (
          <a key={id} href={`?tab=${id}`} className="inline-flex min-h-(--hit-small) items-center underline">
            {label}
          </a>
        ))}
      </nav>
    </noscript>
  );
}
