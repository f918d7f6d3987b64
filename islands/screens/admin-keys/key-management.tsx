import { type ComponentType, useState } from "react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import type { AdminKeyForm } from "../../../src/orders/admin-key-form.ts";
import type { Values } from "../../forms/values.ts";
import { useUrlState, valuesIn } from "../../state/url-state.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { Tabs } from "../../ui/tabs.tsx";

type Draft = Values<typeof AdminKeyForm>;

export interface GenerateProps {
  /** The text typed before the other tab was opened. */
  draft: Draft | undefined;
  onLeave: (draft: Draft) => void;
  made: readonly AdminKey[];
  onMade: (keys: AdminKey[]) => void;
  /** The form is folded to one line, because its order was carried out. */
  folded: boolean;
  onFold: (folded: boolean) => void;
}

export interface ManageProps {
  search: string;
  onGenerate: () => void;
}

interface KeyManagementProps {
  search: string;
  /** One of the two is loaded with the page, the other on demand. */
  Generate: ComponentType<GenerateProps>;
  Manage: ComponentType<ManageProps>;
}

/** The tab is in the address, but not among the filters: clearing those does not leave the tab. */
const tabDefaults = { tab: "generate" };

/** Typed text and generated keys are kept while the other tab is open. */
export function KeyManagement({ search, Generate, Manage }: KeyManagementProps) {
  const { values, change } = useUrlState(tabDefaults, search);
  const [draft, setDraft] = useState<Draft>();
  const [made, setMade] = useState<readonly AdminKey[]>([]);
  const [folded, setFolded] = useState(false);
  return (
    <>
      <PageHeading title="Admin Key Management" description="Keys of your own, which cost nothing." />
      <Tabs
        label="Admin keys"
        selected={values.tab}
        onSelect={(tab) => change({ tab })}
        tabs={[
          {
            id: "generate",
            label: "Generate",
            panel: (
              <Generate
                draft={draft}
                onLeave={setDraft}
                made={made}
                onMade={setMade}
                folded={folded}
                onFold={setFolded}
              />
            ),
          },
          {
            id: "manage",
            label: "Manage",
            panel: <Manage search={search} onGenerate={() => change({ tab: "generate" })} />,
          },
        ]}
      />
    </>
  );
}

/** For the server, which sends the script of the requested tab. */
export function tabIn(search: string): "generate" | "manage" {
  return valuesIn(search, tabDefaults).tab === "manage" ? "manage" : "generate";
}
