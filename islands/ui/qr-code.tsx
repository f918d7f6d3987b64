import { useMemo } from "react";
import { encode } from "uqr";

/** The light border that cameras need to find the code. */
const quietModules = 4;

/** Dark on light in any theme: many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: quietModules }), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 justify-self-center rounded-lg bg-text text-page"
    >
      <path d={data.map(darkRunsIn).join("")} fill="currentColor" />
    </svg>
  );
}

/** A rectangle for each run of dark modules in a row. */
function darkRunsIn(row: readonly boolean[], y: number): string {
  const runs = row
    .map((dark) => (dark ? "1" : "0"))
    .join("")
    .matchAll(/1+/g);
  return [...runs].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`).join("");
}
