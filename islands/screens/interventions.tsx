import { useQuery } from "@tanstack/react-query";
import { HeartPulse } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { interventionsQuery, isAtWork, pausesQuery } from "../api/calls/interventions.ts";
import { refresh } from "../api/query.ts";
import { ShortList } from "../api/short-list.tsx";
import { usePreload } from "../runtime/preload.ts";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { interventionColumns, type Row } from "./interventions/columns.tsx";

const NewIntervention = lazyDialog(() => import("./interventions/new-intervention.tsx"));
const Undo = lazyDialog(() => import("./interventions/undo.tsx"));

const loadParts = () => Promise.all([NewIntervention.load(), Undo.load()]);

/** /admin/interventions: what admins do to many keys at once (rules.md: Interventions). */
export default function Interventions() {
  const query = useQuery(interventionsQuery);
  const [adding, setAdding] = useState(false);
  const { dialog, show } = useDialog<{ intervention: Row }>();
  const { data: pauses } = useQuery(pausesQuery("admin"));
  const isWorking = query.data?.some(isAtWork);
  // The work may have paused keys.
  useEffect(() => (isWorking ? () => void refresh(pausesQuery("admin")) : undefined), [isWorking]);
  const paused = useMemo(() => new Set(pauses?.map(({ interventionId }) => interventionId)), [pauses]);
  const columns = useMemo(() => interventionColumns(paused, (intervention) => show({ intervention })), [paused, show]);
  const onChanged = () => void refresh(interventionsQuery, pausesQuery("admin"));
  usePreload(loadParts);
  return (
    <>
      <ShortList
        area="admin"
        title="Interventions"
        description="Compensate, pause or resume many keys at once, for example after an outage."
        back={{ href: "/admin/create-keys", label: "Key Management" }}
        query={interventionsQuery}
        rows="interventions"
        columns={columns}
        empty={{
          icon: <HeartPulse size={20} />,
          title: "No interventions yet",
          hint: "After an outage, give every key its lost time back in one step.",
        }}
        add="New Intervention"
        onAdd={() => setAdding(true)}
      />
      <NewIntervention open={adding} onOpenChange={setAdding} onChanged={onChanged} />
      {dialog && <Undo {...dialog} onChanged={onChanged} />}
    </>
  );
}
