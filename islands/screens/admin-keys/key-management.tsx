import { type ComponentType, useState } from "react";
import type { AdminKeyForm } from "../../../src/keys/admin-key-form.ts";
import type { AdminKey } from "../../../src/keys/schema.ts";
import type { Values } from "../../form/values.ts";
import { useUrlState } from "../../state/url-state.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { tabDefaults } from "./tab.ts";

type Draft = Values<typeof AdminKeyForm>;

export interface GenerateProps {
  /** What was typed before one looked at the other tab. */
  draft: Draft | undefined;
  onLeave: (draft: Draft) => void;
  made: readonly AdminKey[];
  onMade: (keys: AdminKey[]) => void;
}

export interface ManageProps {
  search: string;
  onGenerate: () => void;
}

interface KeyManagementProps {
  search: string;
  /** One of the two comes with the page, the other when it is wanted. */
  Generate: ComponentType<GenerateProps>;
  Manage: ComponentType<ManageProps>;
}

/** What was typed and what was made stay while one looks at the other tab. */
export function KeyManagement({ search, Generate, Manage }: KeyManagementProps) {
  const { values, change } = useUrlState(tabDefaults, search);
  const [draft, setDraft] = useState<Draft>();
  const [made, setMade] = useState<readonly AdminKey[]>([]);
  return (
    <>
      <PageHeading
        title="Admin Key Management"
        description="Keys of your own: they cost nothing, and belong to no reseller."
      />
      <Tabs
        label="Admin keys"
        selected={values.tab}
        onSelect={(tab) => change({ tab })}
        tabs={[
          {
            id: "generate",
            label: "Generate",
            panel: <Generate draft={draft} onLeave={setDraft} made={made} onMade={setMade} />,
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
