import { type PointerEvent, useEffect, useState } from "react";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { dayText, type Measure, sumOf } from "./day-measures.ts";

/** A chart for each measure. A pointer or a finger on a day shows that day's values in all of them. */
export function DayCharts({ measures, days }: { measures: readonly Measure[]; days: readonly Day[] }) {
  const [pointed, setPointed] = useState<Day | null>(null);
  useEffect(() => {
    if (!pointed) return;
    // A finger leaves the chart when it lifts, so the values stay until it touches something else.
    const clear = ({ target }: Event) => {
      if (!(target as Element).closest("[data-chart]")) setPointed(null);
    };
    document.addEventListener("pointerdown", clear);
    return () => document.removeEventListener("pointerdown", clear);
  }, [pointed]);
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {measures.map((measure) => (
        <DayChart key={measure.title} {...{ measure, days, pointed }} onPoint={setPointed} />
      ))}
    </div>
  );
}

const barWidth = 10;
const gap = 2;
const height = 60;
/** Even the smallest value is visible. */
const partHeightMin = 2;

interface DayChartProps {
  measure: Measure;
  days: readonly Day[];
  pointed: Day | null;
  onPoint: (day: Day | null) => void;
}

/** One bar per day, with its parts on top of each other. */
function DayChart({ measure, days, pointed, onPoint }: DayChartProps) {
  const { title, format, parts } = measure;
  const most = Math.max(...days.map((day) => sumOf(measure, day)));
  const best = days.find((day) => sumOf(measure, day) === most);
  const total = format(sumOf(measure, ...days));
  const summary = best && most > 0 ? `${total} in total, most on ${dayText(best.day)}: ${format(most)}` : "Nothing yet";
  const shown = pointed ? [pointed] : days;

  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * days.length);
    onPoint(days[Math.max(0, Math.min(index, days.length - 1))] ?? null);
  }

  return (
    <figure className="min-w-0">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="text-sm font-medium text-muted">{title}</span>
        <span className="figures font-semibold">
          {pointed && <span className="text-sm font-medium text-muted">{dayText(pointed.day, "day")}: </span>}
          {format(sumOf(measure, ...shown))}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${title}, by day. ${summary}`}
        data-chart
        viewBox={`0 0 ${days.length * barWidth} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 block h-17 w-full border-b border-line"
        // A finger that moves sideways goes through the days.
        style={{ touchAction: "pan-y" }}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && onPoint(null)}
      >
        {days.map((day, index) => (
          <g key={day.day} opacity={pointed && pointed.day !== day.day ? 0.4 : 1}>
            {stackOf(measure, day, most).map(({ color, y, tall }) => (
              <rect
                key={color}
                className={color}
                x={index * barWidth + gap / 2}
                y={y}
                width={barWidth - gap}
                height={tall}
                fill="currentColor"
              />
            ))}
          </g>
        ))}
      </svg>
      <div className="mt-1 flex justify-between text-xs text-muted" aria-hidden>
        <span>{dayText(days[0]?.day)}</span>
        <span>{dayText(days.at(-1)?.day)}</span>
      </div>
      {parts.length > 1 && (
        <ul className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1 text-sm text-muted">
          {parts.map((part) => (
            <li key={part.name} className="flex items-center gap-2">
              <span aria-hidden className={`size-2 shrink-0 rounded-sm bg-current ${part.color}`} />
              <span className="grow">{part.name}</span>
              <span className="figures text-text">{format(sumOf({ parts: [part] }, ...shown))}</span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

/** Where the parts of a day's bar begin and how tall they are, from the bottom to the top. */
function stackOf({ parts }: Measure, day: Day, most: number) {
  let y = height;
  return parts.flatMap(({ color, of }) => {
    const value = of(day);
    if (value === 0) return [];
    const tall = Math.max(partHeightMin, (value / most) * height);
    y -= tall;
    return [{ color, y, tall }];
  });
}
