import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { priceListsQuery } from "../api/calls/catalogue.ts";
import { usePreload } from "../runtime/preload.ts";
import { useUrlState } from "../state/url-state.ts";
import { Button } from "../ui/button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Tabs } from "../ui/tabs.tsx";
import type { Subject } from "./catalogue/dialogs.tsx";
import { Durations, Games } from "./catalogue/lists.tsx";
import { type Drafts, listIn, Prices } from "./catalogue/prices.tsx";

const CatalogueDialog = lazyDialog(() => import("./catalogue/dialogs.tsx"));

/** `list` is the id of the price list that is shown, the first one by default. */
const urlDefaults = { tab: "games", list: "" };

/** /admin/catalogue: what is sold (rules.md: Catalogue). */
export default function Catalogue({ search }: { search: string }) {
  const { values, change } = useUrlState(urlDefaults, search);
  const { tab, list } = values;
  const { dialog, show: showDialog } = useDialog<{ subject: Subject }>();
  const show = useCallback((subject: Subject) => showDialog({ subject }), [showDialog]);
  /** Here, because the other tabs must not cost what was typed. */
  const [drafts, setDrafts] = useState<Drafts>({});
  useAskBeforeLeaving(Object.values(drafts).some((typed) => Object.keys(typed).length > 0));
  usePreload(CatalogueDialog.load);
  return (
    <>
      <PageHeading
        title="Catalogue"
        description="What resellers can buy, and at what price."
        actions={<AddButton tab={tab} listId={list} show={show} />}
      />
      <Tabs
        label="Catalogue"
        selected={tab}
        onSelect={(next) => change({ tab: next })}
        tabs={[
          { id: "games", label: "Games", panel: <Games show={show} /> },
          { id: "durations", label: "Durations", panel: <Durations show={show} /> },
          {
            id: "prices",
            label: "Prices",
            panel: (
              <Prices
                listId={list}
                onChoose={(id) => change({ list: id })}
                drafts={drafts}
                onType={(id, typed) => setDrafts((before) => ({ ...before, [id]: typed }))}
                show={show}
              />
            ),
          },
        ]}
      />
      {dialog && (
        <CatalogueDialog
          {...dialog}
          // A new game is not sold without a price, and a new list is there to be changed.
          onAdded={(added) => change({ tab: "prices", list: "list" in added ? String(added.list.id) : list })}
        />
      )}
    </>
  );
}

/** The browser asks before it leaves the page, while something is not saved. */
function useAskBeforeLeaving(unsaved: boolean) {
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);
}

interface AddButtonProps {
  tab: string;
  listId: string;
  show: (subject: Subject) => void;
}

/** Adds one of what the tab shows. */
function AddButton({ tab, listId, show }: AddButtonProps) {
  const { data: lists } = useQuery({ ...priceListsQuery, enabled: tab === "prices" });
  const adds =
    tab === "prices"
      ? { label: "Add Price List", subject: { action: "priceList", list: null, shown: listIn(lists, listId) } as const }
      : tab === "durations"
        ? { label: "Add Duration", subject: { action: "duration", duration: null } as const }
        : { label: "Add Game", subject: { action: "game", game: null } as const };
  return (
    <Button need="everything" variant="primary" icon={<Plus size={16} />} onClick={() => show(adds.subject)}>
      {adds.label}
    </Button>
  );
}
