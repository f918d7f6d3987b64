import { useState } from "react";

/** What stands in a field: what is typed, until the value itself is another one (Clear Filters, the back button). */
export function useTypedValue(value: string) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  if (value !== last) {
    setLast(value);
    setTyped(value);
  }
  return [typed, setTyped] as const;
}
