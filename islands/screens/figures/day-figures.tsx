import { useQuery } from "@tanstack/react-query";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import type { allFiguresQuery } from "../../api/calls/overview.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { countText, creditsText, dateText } from "../../format.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";

/** The last 30 days, in four charts of one colour. Loaded after the rest of the page. */
export default function DayFigures({ of }: { of: typeof allFiguresQuery }) {
  const query = useQuery(of);
  const { data, error } = query;
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
          <QueryFailure query={query} fallback="The figures could not be loaded." />
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

interface DayValue {
  /** 2025-03-05, in UTC. */
  day: string;
  value: number;
}

interface DayChartProps {
  title: string;
  days: readonly DayValue[];
  /** Formats a figure. */
  format: (value: number) => string;
}

const barWidth = 10;
const gap = 2;
const height = 60;

/** One bar per day, in one colour. The table behind it has the same figures for screen readers. */
function DayChart({ title, days, format }: DayChartProps) {
  const most = Math.max(...days.map(({ value }) => value), 0);
  const total = format(days.reduce((sum, { value }) => sum + value, 0));
  const best = days.find(({ value }) => value === most);
  const summary = best && most > 0 ? `${total} in all, most on ${dayText(best.day)}: ${format(most)}` : "Nothing yet";
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="text-sm font-medium text-muted">{title}</span>
        <span className="figures font-semibold">{total}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}, by day. ${summary}`}
        viewBox={`0 0 ${days.length * barWidth} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 block h-17 w-full border-b border-line text-brass"
      >
        {days.map(({ day, value }, index) => {
          // Even the smallest value is visible.
          const tall = value === 0 ? 0 : Math.max(2, (value / most) * height);
          return (
            <rect
              key={day}
              x={index * barWidth + gap / 2}
              y={height - tall}
              width={barWidth - gap}
              height={tall}
              fill="currentColor"
            >
              <title>{`${dayText(day)}: ${format(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="mt-1 flex justify-between text-xs text-muted" aria-hidden>
        <span>{dayText(days[0]?.day)}</span>
        <span>{dayText(days.at(-1)?.day)}</span>
      </div>
      <details>
        <summary className="min-h-(--hit-small) cursor-pointer py-1.5 text-sm text-muted">As a table</summary>
        <table className="figures w-full text-sm">
          <caption className="sr-only">{title}, by day</caption>
          <thead className="sr-only">
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{title}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, value }) => (
              <tr key={day} className="border-b border-line">
                <th scope="row" className="py-1 text-left font-normal text-muted">
                  {dayText(day)}
                </th>
                <td className="py-1 text-right">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Days are counted and shown in UTC. */
function dayText(day: string | undefined): string {
  return dateText(day, "dateInWords", "UTC");
}
