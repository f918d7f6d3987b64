import { type ComponentType, useState } from "react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import type { OrderTexts } from "../../key-order/order-form.ts";
import { useUrlState, valuesIn } from "../../state/url-state.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { Tabs } from "../../ui/tabs.tsx";

export interface GenerateProps {
  /** What was typed before one looked at the other tab. */
  texts: OrderTexts | undefined;
  onTexts: (texts: OrderTexts) => void;
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

/** The tab stands in the address, apart from the filters: clearing those does not leave the tab. */
const tabDefaults = { tab: "generate" };

/** What was typed and what was made stay while one looks at the other tab. */
export function KeyManagement({ search, Generate, Manage }: KeyManagementProps) {
  const { values, change } = useUrlState(tabDefaults, search);
  const [texts, setTexts] = useState<OrderTexts>();
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
            panel: <Generate texts={texts} onTexts={setTexts} made={made} onMade={setMade} />,
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

/** For the server, which sends the script of the tab that was asked for. */
export function tabIn(search: string): "generate" | "manage" {
  return valuesIn(search, tabDefaults).tab === "manage" ? "manage" : "generate";
}
