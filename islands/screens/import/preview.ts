import { untilStarted } from "../../../src/core/key-time.ts";
import type { ReadLine } from "../../../src/imports/reading/imported-key.ts";
import { previewOf } from "../../../src/imports/reading/preview.ts";
import { recordBytesMax } from "../../../src/imports/reading/records.ts";
import { statusOf } from "../../../src/keys/model.ts";
import type { ImportForm } from "../../api/calls/imports.ts";
import type { PreviewRow } from "./preview-table.tsx";

/** Room for the head and the lines that are shown, however long they are. */
const beginningBytes = 6 * recordBytesMax;

/** What the first lines of a file become, and which of its headings are unknown. */
export async function previewOfFile(file: File, { map, game, owner }: Pick<ImportForm, "map" | "game" | "owner">) {
  const beginning = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  const now = Date.now();
  const { lines, ...about } = await previewOf(beginning, { map, game, owner, now });
  return { ...about, rows: lines.map((line) => rowOf(line, now)) };
}

function rowOf(line: ReadLine, now: number): PreviewRow {
  if ("problem" in line) return { id: line.line, text: line.key, problem: line.problem, key: null };
  const { text, game, owner, expiresAt, durationHours, devices, deviceLimit } = line;
  return {
    ...{ id: line.line, text, problem: null },
    key: {
      ...{ game, owner, durationHours, deviceLimit, deviceCount: devices.length },
      expiryDate: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      status: statusOf({ ...line, expiresAt: expiresAt ?? untilStarted }, now),
    },
  };
}
