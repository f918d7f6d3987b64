import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { figuresQuery, topResellersQuery } from "../../api/calls/overview.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { type UrlChoices, useUrlState } from "../../state/url-state.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { DayChart } from "./day-charts.tsx";
import { measuresFor, sumOf } from "./day-measures.ts";
import { DayTable } from "./day-table.tsx";
import { TopResellers } from "./top-resellers.tsx";

interface Values extends Record<string, string> {
  days: "7" | "30" | "90";
  figures: "charts" | "table";
  sales: "keys" | "credits";
}

const defaults: Values = { days: "30", figures: "charts", sales: "keys" };
const choices: UrlChoices<Values> = {
  days: ["7", "30", "90"],
  figures: ["charts", "table"],
  sales: ["keys", "credits"],
};
const unitNames = { keys: "Keys", credits: "Credits" };

/**
 * The last days of all accounts or of a reseller, as charts or as a table. Loaded after the rest of the page; `onKnown`
 * is called once the height is known, for what stands below.
 */
export default function DayFigures({ area, onKnown }: { area: Role; onKnown?: () => void }) {
  const { values, change } = useUrlState(defaults, "", choices);
  // The charts stay until those of another range have arrived.
  const query = useQuery({ ...figuresQuery(area, Number(values.days)), placeholderData: keepPreviousData });
  const { data, error } = query;
  const isAdmin = area === "admin";
  const top = useQuery({
    ...topResellersQuery(Number(values.days)),
    enabled: isAdmin,
    placeholderData: keepPreviousData,
  });
  const isKnown = !query.isPending && !(isAdmin && top.isPending);
  useEffect(() => {
    if (isKnown) onKnown?.();
  }, [isKnown, onKnown]);
  const { keys, credits, verdicts } = measuresFor(area, data ?? []);
  const measures = [keys, credits, verdicts];
  const isTable = values.figures === "table";
  const isEmpty = measures.every((measure) => sumOf(measure, ...(data ?? [])) === 0);
  const panel = data ? (
    isEmpty ? (
      <p className="py-3 text-muted">{`Nothing in the last ${data.length} days.`}</p>
    ) : (
      <>
        {isTable ? (
          <DayTable measures={measures} days={data} />
        ) : (
          <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
            <DayChart
              caption="Sales"
              measure={values.sales === "keys" ? keys : credits}
              days={data}
              actions={choices.sales.map((sales) => (
                <Button
                  key={sales}
                  size="small"
                  variant={sales === values.sales ? "secondary" : "ghost"}
                  aria-pressed={sales === values.sales}
                  onClick={() => change({ sales })}
                >
                  {unitNames[sales]}
                </Button>
              ))}
            />
            <DayChart caption="Verifications" measure={verdicts} days={data} />
          </div>
        )}
        {isAdmin && <TopResellers query={top} />}
      </>
    )
  ) : error ? (
    <QueryFailure query={query} fallback="The figures could not be loaded." />
  ) : (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      <SkeletonCards count={2} label="Loading the figures" className="h-60" />
    </div>
  );
  return (
    <Card className="mt-8">
      <CardHeading
        title={`The last ${data?.length ?? values.days} days`}
        description="By day, in UTC."
        actions={
          <Button size="small" onClick={() => change({ figures: isTable ? "charts" : "table" })}>
            {isTable ? "Show as charts" : "Show as table"}
          </Button>
        }
      />
      <CardBody>
        <Tabs
          label="Range"
          tabs={choices.days.map((days) => ({ id: days, label: `${days} days`, panel }))}
          selected={values.days}
          onSelect={(days) => change({ days })}
        />
      </CardBody>
    </Card>
  );
}
