import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { dayText, type Measure, sumOf } from "./day-measures.ts";

/** A column for each measure, and one for each of its parts; a row for each day, the newest first. */
export function DayTable({ measures, days }: { measures: readonly Measure[]; days: readonly Day[] }) {
  const columns = measures.flatMap((measure) => {
    const { parts, format } = measure;
    return [measure, ...parts.map((part) => ({ title: `${measure.title}: ${part.name}`, format, parts: [part] }))];
  });
  const rows = [
    { name: "Total", of: days },
    ...days.toReversed().map((day) => ({ name: dayText(day.day), of: [day] })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled by the keyboard too.
    <section tabIndex={0} aria-label="Figures by day" className="overflow-x-auto -outline-offset-2">
      <table className="figures w-full text-sm">
        <thead>
          <tr className="border-b border-line align-bottom text-muted">
            <th scope="col" className="sticky left-0 bg-card py-1 text-left font-medium">
              Day
            </th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className="py-1 pl-4 text-right font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, of }) => (
            <tr key={name} className="border-b border-line first:font-semibold">
              <th scope="row" className="sticky left-0 bg-card py-1 text-left font-normal whitespace-nowrap text-muted">
                {name}
              </th>
              {columns.map((column) => (
                <td key={column.title} className="py-1 pl-4 text-right">
                  {column.format(sumOf(column, ...of))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
