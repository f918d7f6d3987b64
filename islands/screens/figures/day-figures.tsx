import { useQuery } from "@tanstack/react-query";
import type { DayFigures as Day } from "../../../src/reports/figures-schema.ts";
import { failureText } from "../../api/api.ts";
import type { allFiguresQuery } from "../../api/calls/figures.ts";
import { countText, creditsText } from "../../format.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { DayChart } from "./day-chart.tsx";

/** The last 30 days, in four charts of one colour. Loaded after the rest of the page. */
export default function DayFigures({ query }: { query: typeof allFiguresQuery }) {
  const { data, error, isFetching, refetch } = useQuery(query);
  return (
    <Card className="mt-8">
      <CardHeading title="The last 30 days" description="By day, in UTC." />
      <CardBody className="grid gap-x-8 gap-y-6 md:grid-cols-2">
        {data ? (
          charts.map(({ title, figureOf, format }) => (
            <DayChart
              key={title}
              title={title}
              format={format}
              days={data.map((figures) => ({ day: figures.day, value: figureOf(figures) }))}
            />
          ))
        ) : error ? (
          <ErrorState
            message={failureText(error, "The figures could not be loaded.")}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        ) : (
          <SkeletonCards count={4} label="Loading the figures" />
        )}
      </CardBody>
    </Card>
  );
}

const charts: { title: string; figureOf: (figures: Day) => number; format: (value: number) => string }[] = [
  { title: "Keys made", figureOf: ({ keys }) => sumOf(keys), format: countText },
  { title: "Credits spent", figureOf: ({ credits }) => sumOf(credits), format: creditsText },
  { title: "Keys accepted", figureOf: ({ verdicts }) => verdicts.VALID, format: countText },
  { title: "Keys refused", figureOf: ({ verdicts }) => sumOf(verdicts) - verdicts.VALID, format: countText },
];

function sumOf(figures: Record<string, number>): number {
  return Object.values(figures).reduce((sum, figure) => sum + figure, 0);
}
