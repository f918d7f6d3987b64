import type { Call } from "../../../src/reference/call.ts";
import { type Language, languageIds, languages } from "../../../src/reference/languages.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import type { Reading } from "./use-reading.ts";

/** The same call in six languages. Who has no JavaScript reads the one that was chosen last. */
export function SampleTabs({ call, reading }: { call: Call; reading: Reading }) {
  return (
    <div className="min-w-0">
      <Tabs
        label="Languages"
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
  );
}
