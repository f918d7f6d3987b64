import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { failureText } from "../../api/api.ts";
import { conditionQuery } from "../../api/calls/overview.ts";
import { pluralText, sizeText } from "../../format.ts";
import { Time } from "../../ui/time.tsx";
import DayFigures from "../figures/day-figures.tsx";

/** The condition of the system in one line (rules.md: Condition). */
function Condition() {
  const { data, error } = useQuery(conditionQuery);
  const isWell = data?.isWell ?? false;
  const Icon = isWell ? CircleCheck : TriangleAlert;
  return (
    <p role="status" className="mt-8 flex gap-3 rounded-lg border border-line bg-card px-4 py-3 md:px-5">
      <Icon size={18} className={`mt-0.5 shrink-0 ${isWell ? "text-active" : "text-expired"}`} />
      <span className="min-w-0">
        {data ? (
          <>
            <strong className="font-medium">{isWell ? "All is well." : "Needs attention."}</strong>{" "}
            {data.unopenedTwoFactor > 0 && (
              <span>
                SECRET was changed: two-factor codes no longer work for {pluralText(data.unopenedTwoFactor, "account")}.{" "}
              </span>
            )}
            {data.isBackedUpElsewhere ? (
              "The database server has its own backups. "
            ) : (
              <LastBackup at={data.lastBackupAt} />
            )}
            {data.freeBytes !== null && `${sizeText(data.freeBytes)} free. `}
            {data.failures === 0
              ? "No failures in 24 hours."
              : `${pluralText(data.failures, "failure")} in 24 hours: see the server's log.`}
          </>
        ) : (
          failureText(error, "The status could not be loaded.")
        )}
      </span>
    </p>
  );
}

function LastBackup({ at }: { at: string | null }) {
  if (at === null) return <span>No backup yet. </span>;
  return (
    <>
      Last backup <Time value={at} format="dateAndTime" />.{" "}
    </>
  );
}

/** The lower part of the admin's overview, loaded after the rest. The charts wait for the part above them. */
export default function Below() {
  const { isPending } = useQuery(conditionQuery);
  if (isPending) return null;
  return (
    <>
      <Condition />
      <DayFigures area="admin" />
    </>
  );
}
