const width = 860;
const panelHeight = 130;
const gap = 34;
const left = 70;
const right = 16;
const top = 40;

interface Line {
  title: string;
  unit: string;
  values: number[];
}

/**
 * Line charts with a shared time axis, each scaled from 0 to its maximum. `marks` are vertical lines in all of them.
 */
export function linePlot({
  title,
  minutes,
  lines,
  marks,
}: {
  title: string;
  minutes: number[];
  lines: Line[];
  marks: number[];
}): string {
  const last = minutes.at(-1) || 1;
  const x = (minute: number) => left + (minute / last) * (width - left - right);
  const height = top + lines.length * (panelHeight + gap);
  const panels = lines.map(({ title, unit, values }, index) => {
    const bottom = top + index * (panelHeight + gap) + panelHeight;
    const largest = Math.max(...values) || 1;
    const y = (value: number) => bottom - (value / largest) * (panelHeight - 18);
    const points = values.map((value, at) => `${x(minutes[at] ?? 0).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    const killed = marks.map(
      (minute) =>
        `<line x1="${x(minute).toFixed(1)}" x2="${x(minute).toFixed(1)}" y1="${bottom - panelHeight + 18}" y2="${bottom}" stroke="#d1242f" stroke-dasharray="2 3"/>`,
    );
    return `  <text x="${left}" y="${bottom - panelHeight + 8}" fill="#24292f">${title}, at most ${largest.toFixed(largest < 10 ? 1 : 0)} ${unit}</text>
  <line x1="${left}" x2="${width - right}" y1="${bottom}" y2="${bottom}" stroke="#9aa4b2"/>
  ${killed.join("")}
  <polyline points="${points}" fill="none" stroke="#2f6feb"/>
  <text x="${left - 8}" y="${bottom}" text-anchor="end" fill="#57606a">0</text>
  <text x="${left - 8}" y="${(y(largest) + 8).toFixed(1)}" text-anchor="end" fill="#57606a">${largest.toFixed(largest < 10 ? 1 : 0)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
  <title>${title}</title>
  <rect width="100%" height="100%" fill="#ffffff"/>
  <text x="${left}" y="20" fill="#24292f" font-weight="600">${title}</text>
${panels.join("\n")}
  <text x="${width - right}" y="${height - 12}" text-anchor="end" fill="#57606a">${last.toFixed(0)} minutes; red: kill -9</text>
</svg>
`;
}
