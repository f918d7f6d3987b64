import { useState } from "react";
import { type Column, columns } from "../../../src/keys/export/columns.ts";
import type { ImportForm } from "../../api/calls/imports.ts";
import { pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";

interface MappingProps {
  /** The headings of the file that belong to no column. */
  headings: string[];
  /** Nothing can be read until one is mapped. */
  isOpen: boolean;
  map: ImportForm["fixes"]["map"];
  onChange: (map: ImportForm["fixes"]["map"]) => void;
}

/** Says what the columns hold whose headings were not recognised. */
export function Mapping({ headings, isOpen, map, onChange }: MappingProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  if (headings.length === 0) return null;
  const left = headings.filter((heading) => columnOf(heading, map) === "").length;
  return (
    <div className="mt-4">
      <Button aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
        {left === 0 ? "All columns imported" : `${pluralText(left, "column")} not imported`}
      </Button>
      {isUnfolded && (
        <div className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {headings.map((heading) => (
            <NativeSelectField
              key={heading}
              label={heading}
              value={columnOf(heading, map)}
              onChange={({ currentTarget }) => onChange(mapped(map, heading, currentTarget.value))}
              choices={choices}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** The names that are not the column's own words. */
const otherNames: { [Each in Column]?: string } = {
  key: "License key",
  duration_hours: "Duration in hours",
  starts: "Starts (creation or first_use)",
  paused_at: "Paused",
};

function nameOf(column: Column): string {
  return otherNames[column] ?? column.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
}

const choices = [
  { value: "", label: "Not imported" },
  ...columns.map((column) => ({ value: column, label: nameOf(column) })),
];

function columnOf(heading: string, map: ImportForm["fixes"]["map"]): string {
  return columns.find((column) => map[column] === heading) ?? "";
}

/** A heading has one column, and a column one heading. */
function mapped(map: ImportForm["fixes"]["map"], heading: string, column: string): ImportForm["fixes"]["map"] {
  const others = Object.entries(map).filter(([each, name]) => each !== column && name !== heading);
  return Object.fromEntries(column === "" ? others : [...others, [column, heading]]);
}
