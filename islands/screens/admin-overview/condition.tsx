import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleCheck, TriangleAlert } from "lucide-react";
import type { Condition as Found } from "../../../src/reports/schema.ts";
import { conditionQuery } from "../../api/calls/overview.ts";
import { pluralText, sizeText } from "../../format.ts";
import { TextLink } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { FiguresFailure } from "../figures/overview-parts.tsx";

/** Whether all is well, directly below the figures (rules.md: Condition). */
export function Condition() {
  const query = useQuery(conditionQuery);
  const { data, isError } = query;
  if (isError && !data) return <FiguresFailure sentence="The status could not be loaded." queries={[query]} />;
  const isWell = data?.isWell ?? true;
  const [Icon, color] = isWell ? [CircleCheck, "text-active"] : [TriangleAlert, "text-expired"];
  return (
    <div className={clsx("mt-3 rounded-lg border border-line bg-card md:mt-4", !data && "animate-breathe")}>
      <p role="status" className={clsx("flex gap-3 px-4 py-3 md:px-5", !data && "invisible")}>
        <Icon size={18} className={`mt-0.5 shrink-0 ${color}`} />
        <span className="min-w-0">{data ? <Sentences of={data} /> : usualText}</span>
      </p>
    </div>
  );
}

/** Invisible while it loads, to keep its height. */
const usualText = "All is well. Last backup Mar 05, 03:00. 18.6 GB free. No failures in 24 hours.";

function Sentences({ of: found }: { of: Found }) {
  const { isWell, problems, isClockAhead, unopenedTwoFactor, unopenedKeys, webhooksOff, freeBytes, failures } = found;
  return (
    <>
      <strong className="font-medium">{isWell ? "All is well." : "Needs attention."}</strong>{" "}
      {problems.includes("CLOCK") &&
        !isClockAhead &&
        "The server's clock is behind its records, so time stands still: set it right. "}
      {unopenedTwoFactor > 0 &&
        `SECRET was changed: two-factor codes no longer work for ${pluralText(unopenedTwoFactor, "account")}. `}
      {unopenedKeys > 0 &&
        `SECRET does not open ${pluralText(unopenedKeys, "signing key")}, so games with an SDK can stop. `}
      {webhooksOff > 0 && (
        <span>
          <TextLink href="/admin/webhooks">{pluralText(webhooksOff, "webhook")}</TextLink> switched off.{" "}
        </span>
      )}
      <LastBackup of={found} />
      {freeBytes !== null && (
        <span className="whitespace-nowrap">{`${problems.includes("DISK") ? "Only " : ""}${sizeText(freeBytes)} free.`}</span>
      )}{" "}
      {failures === 0
        ? "No failures in 24 hours."
        : `${pluralText(failures, "failure")} in 24 hours: see the server's log.`}
    </>
  );
}

function LastBackup({ of: { isBackedUpElsewhere, lastBackupAt, problems } }: { of: Found }) {
  if (isBackedUpElsewhere) return <span>The database server has its own backups. </span>;
  if (lastBackupAt === null) return <span>No backup yet. </span>;
  return (
    <span>
      Last backup <Time value={lastBackupAt} format="dateAndTime" />
      {problems.includes("OLD_BACKUP") && ", too long ago"}.{" "}
    </span>
  );
}
