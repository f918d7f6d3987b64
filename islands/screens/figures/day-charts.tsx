import { clsx } from "clsx";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { dayText, type Measure, type Part, sumOf } from "./day-measures.ts";

const barWidth = 10;
const gap = 2;
const height = 160;
/** Even the smallest value is visible. */
const partHeightMin = 2;

interface DayChartProps {
  caption: string;
  measure: Measure;
  days: readonly Day[];
  /** Next to the caption. */
  actions?: ReactNode;
}

/** One bar per day, with its parts on top of each other. A pointer, a finger or an arrow key shows the values of a day. */
export function DayChart({ caption, measure, days, actions }: DayChartProps) {
  const { title, format, parts } = measure;
  const [pointed, setPointed] = useState<number | null>(null);
  const most = Math.max(...days.map((day) => sumOf(measure, day)));
  const top = scaleTop(most);
  const best = days.find((day) => sumOf(measure, day) === most);
  const total = format(sumOf(measure, ...days));
  const summary = best && most > 0 ? `${total} in total, most on ${dayText(best.day)}: ${format(most)}` : "Nothing yet";
  const shown = pointed === null ? undefined : days[pointed];

  const pointAt = (index: number) => setPointed(Math.max(0, Math.min(index, days.length - 1)));
  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    pointAt(Math.floor(((clientX - left) / width) * days.length));
  }
  function moveByKey(event: KeyboardEvent) {
    const last = days.length - 1;
    const next = { ArrowLeft: (pointed ?? days.length) - 1, ArrowRight: (pointed ?? last) + 1, Home: 0, End: last }[
      event.key
    ];
    if (event.key === "Escape") setPointed(null);
    if (next === undefined) return;
    event.preventDefault();
    pointAt(next);
  }

  return (
    <figure className="min-w-0">
      <figcaption className="flex min-h-(--hit) flex-wrap items-center gap-x-3">
        <span className="font-medium">{caption}</span>
        {actions}
        <span className="figures ml-auto font-semibold">{total}</span>
      </figcaption>
      <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div aria-hidden className="figures -my-2 flex h-44 flex-col justify-between text-right text-xs text-muted">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={`${title}, by day. ${summary}`}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(pointed ?? days.length - 1) + 1}
          aria-valuetext={shown ? valuesText(measure, shown) : summary}
          className="relative h-40 border-y border-line"
          // A finger that moves sideways goes through the days.
          style={{ touchAction: "pan-y" }}
          onPointerDown={point}
          onPointerMove={point}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && setPointed(null)}
          onKeyDown={moveByKey}
          // A press has brought the focus, so a press elsewhere hides what a finger has left.
          onBlur={() => setPointed(null)}
        >
          <span className="absolute inset-x-0 top-1/2 border-t border-line" />
          <svg
            aria-hidden
            viewBox={`0 0 ${days.length * barWidth} ${height}`}
            preserveAspectRatio="none"
            className="relative block size-full"
          >
            {days.map((day, index) => (
              <g key={day.day} opacity={pointed !== null && pointed !== index ? 0.4 : 1}>
                {stackOf(measure, day, top).map(({ color, y, tall }) => (
                  <rect
                    key={color + y}
                    className={`${color} stroke-card`}
                    vectorEffect="non-scaling-stroke"
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
          {shown && <Tip measure={measure} day={shown} at={((pointed ?? 0) + 0.5) / days.length} />}
        </div>
        <div className="col-start-2 mt-1.5 flex justify-between text-xs text-muted" aria-hidden>
          <span>{dayText(days[0]?.day)}</span>
          <span>{dayText(days.at(-1)?.day)}</span>
        </div>
      </div>
      <ul className="mt-2 grid grid-cols-1 gap-x-4 gap-y-1 text-sm text-muted sm:grid-cols-2">
        {parts.map((part) => (
          <PartLine key={part.name} of={part} value={format(sumOf({ parts: [part] }, ...days))} />
        ))}
      </ul>
    </figure>
  );
}

/** The values of a day, next to its bar and within the chart. */
function Tip({ measure, day, at }: { measure: Measure; day: Day; at: number }) {
  const { format, parts } = measure;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-1 z-1 w-48 max-w-full rounded-md border border-line bg-overlay px-2.5 py-1.5 text-xs text-muted lifted"
      style={{ left: `clamp(0rem, ${at * 100}% - 6rem, 100% - 12rem)` }}
    >
      <p className="flex justify-between gap-2 font-medium text-text">
        <span>{dayText(day.day)}</span>
        <span className="figures">{format(sumOf(measure, day))}</span>
      </p>
      <ul>
        {parts
          .toReversed()
          .map((part) => part.of(day) > 0 && <PartLine key={part.name} of={part} value={format(part.of(day))} />)}
      </ul>
    </div>
  );
}

function PartLine({ of: { name, color }, value }: { of: Part; value: string }) {
  return (
    <li className="flex items-center gap-2">
      <span aria-hidden className={clsx("size-2 shrink-0 rounded-sm bg-current", color)} />
      <span className="min-w-0 grow wrap-anywhere">{name}</span>
      <span className="figures text-text">{value}</span>
    </li>
  );
}

function valuesText(measure: Measure, day: Day): string {
  const { format, parts } = measure;
  const values = parts.filter(({ of }) => of(day) > 0).map(({ name, of }) => `${name} ${format(of(day))}`);
  return [`${dayText(day.day)}: ${format(sumOf(measure, day))}`, ...values].join(", ");
}

/** The end of the scale: a round number whose half is a whole one. */
export function scaleTop(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const steps = unit === 1 ? [2, 4, 6, 8, 10] : [1, 2, 4, 6, 8, 10];
  return (steps.find((step) => step * unit >= most) ?? 10) * unit;
}

/** Where the parts of a day's bar begin and how tall they are, from the bottom to the top. */
function stackOf({ parts }: Measure, day: Day, top: number) {
  let y = height;
  return parts.flatMap(({ color, of }) => {
    const value = of(day);
    if (value === 0) return [];
    const tall = Math.max(partHeightMin, (value / top) * height);
    y -= tall;
    return [{ color, y, tall }];
  });
}
