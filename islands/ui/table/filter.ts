import type { Choice } from "../field/native-select.tsx";

/** What a list can be narrowed by, or on a phone sorted by. */
export interface Filter {
  label: string;
  value: string;
  /** The first of them is no filter. */
  choices: readonly Choice[];
  onChange: (value: string) => void;
  /** On phones only, where a table has no headings to sort by. It hides no row, and is not counted. */
  phoneOnly?: boolean;
}
