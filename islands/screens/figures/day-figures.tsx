import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Role } from "../../../src/accounts/schema.ts";
import { figuresQuery } from "../../api/calls/overview.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { type UrlChoices, useUrlState } from "../../state/url-state.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { DayCharts } from "./day-charts.tsx";
import { measuresFor, sumOf } from "./day-measures.ts";
import { DayTable } from "./day-table.tsx";

interface Values extends Record<string, string> {
  days: "7" | "30" | "90";
  figures: "charts" | "table";
}

const defaults: Values = { days: "30", figures: "charts" };
const choices: UrlChoices<Values> = { days: ["7", "30", "90"], figures: ["charts", "table"] };

/** The last days of all accounts or of a reseller, as charts or as a table. Loaded after the rest of the page. */
export default function DayFigures({ area }: { area: Role }) {
  const { values, change } = useUrlState(defaults, "", choices);
  // The charts stay until those of another range have arrived.
  const query = useQuery({ ...figuresQuery(area, Number(values.days)), placeholderData: keepPreviousData });
  const { data, error } = query;
  const measures = measuresFor(area);
  const isTable = values.figures === "table";
  const View = isTable ? DayTable : DayCharts;
  const isEmpty = data?.every((day) => measures.every((measure) => sumOf(measure, day) === 0));
  const panel = data ? (
    isEmpty ? (
      <p className="py-3 text-muted">{`Nothing in the last ${data.length} days.`}</p>
    ) : (
      <View measures={measures} days={data} />
    )
  ) : error ? (
    <QueryFailure query={query} fallback="The figures could not be loaded." />
  ) : (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      <SkeletonCards count={measures.length} label="Loading the figures" />
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
