import type { Row } from "./compare.ts";

const width = 860;
const labelWidth = 330;
const barHeight = 14;
const rowHeight = 20;
const gapBetweenWorks = 12;
const margin = 16;

const colours: Record<string, string> = { Latchkey: "#2f6feb", "bare Bun.serve": "#9aa4b2" };
const otherColour = "#c9a227";

/** One bar for each row, grouped by work: processor time per request, the shorter the better. */
export function barsOf(rows: Row[]): string {
  const longest = Math.max(...rows.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest));
  const scale = (width - labelWidth - 90) / longest;
  let y = margin;
  const bars = rows.map((row, index) => {
    if (index > 0 && rows[index - 1]?.work !== row.work) y += gapBetweenWorks;
    const bar = barOf(row, y, row.cpuMicrosPerRequest * scale);
    y += rowHeight;
    return bar;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + margin}" font-family="system-ui, sans-serif" font-size="12">
  <title>Processor time per request of each server under each kind of work</title>
  <rect width="100%" height="100%" fill="#ffffff"/>
${bars.join("\n")}
</svg>
`;
}

function barOf(row: Row, y: number, length: number): string {
  const baseline = y + barHeight - 3;
  return `  <text x="${labelWidth - 8}" y="${baseline}" text-anchor="end" fill="#24292f">${row.work} · ${row.server}</text>
  <rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" fill="${colours[row.server] ?? otherColour}"/>
  <text x="${(labelWidth + length + 6).toFixed(1)}" y="${baseline}" fill="#24292f">${row.cpuMicrosPerRequest.toFixed(1)} µs</text>`;
}
