import { type ComponentType, useState } from "react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import type { AdminKeyForm } from "../../../src/orders/admin-key-form.ts";
import { hasRight, type Rights } from "../../../src/pages/page.ts";
import type { Values } from "../../forms/values.ts";
import { useRights } from "../../runtime/rights.ts";
import { useUrlState, valuesIn } from "../../state/url-state.ts";
import { TextLink } from "../../ui/button.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";

/** What the Generate tab keeps while the other tab is open. */
interface Generation {
  /** The text typed before the other tab was opened. */
  draft?: Values<typeof AdminKeyForm>;
  keys: readonly AdminKey[];
  /** The form is folded to one line, because its order was carried out. */
  folded: boolean;
}

export interface GenerateProps {
  generation: Generation;
  change: (changed: Partial<Generation>) => void;
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

export const tabSkeleton = <SkeletonCards count={2} label="Loading" className="mb-4 h-48" />;

/** The tab is in the address, but not among the filters: clearing those does not leave the tab. */
const tabDefaults = { tab: "generate" };

export function KeyManagement({ search, Generate, Manage }: KeyManagementProps) {
  const { values, change } = useUrlState(tabDefaults, search);
  const [generation, setGeneration] = useState<Generation>({ keys: [], folded: false });
  const changeGeneration = (changed: Partial<Generation>) => setGeneration((now) => ({ ...now, ...changed }));
  return (
    <>
      <PageHeading
        title="Admin Key Management"
        description={
          useRights().may("everything") && (
            <>
              {/* On a phone the line has no room for it. */}
              <span className="max-md:hidden">Admin keys are free. </span>
              <TextLink href="/admin/catalogue">Edit games</TextLink> ·{" "}
              <TextLink href="/admin/interventions">Interventions</TextLink>
            </>
          )
        }
      />
      <Tabs
        label="Admin keys"
        selected={values.tab}
        onSelect={(tab) => change({ tab })}
        tabs={[
          {
            id: "generate",
            label: "Generate",
            need: "keys:order",
            panel: <Generate generation={generation} change={changeGeneration} />,
          },
          {
            id: "manage",
            label: "Manage",
            need: "keys:read",
            panel: <Manage search={search} onGenerate={() => change({ tab: "generate" })} />,
          },
        ]}
      />
    </>
  );
}

/** For the server, which sends the script of the requested tab, or of the only one that the viewer may open. */
export function tabIn(search: string, rights: Rights): "generate" | "manage" {
  const isWanted = valuesIn(search, tabDefaults).tab === "manage" && hasRight(rights, "keys:read");
  return isWanted || !hasRight(rights, "keys:order") ? "manage" : "generate";
}
