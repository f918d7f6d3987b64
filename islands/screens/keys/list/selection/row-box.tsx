import { clsx } from "clsx";
import { atom, useAtomValue } from "jotai";
import { useMemo } from "react";
import type { Key } from "../columns.tsx";
import { chosenAtom, isChoosingAtom, isChosen } from "./selection.ts";

/**
 * The checkbox of a row. It is visible while the row is hovered or any row is selected, and always on touch screens; a
 * phone's cards have it instead of their actions while rows are being selected. The list handles its presses
 * (presses.ts).
 */
export default function RowBox({ row: { id, keyString } }: { row: Key }) {
  const checked = useAtomValue(useMemo(() => atom((get) => isChosen(get(chosenAtom), id)), [id]));
  const choosing = useAtomValue(isChoosingAtom);
  return (
    <span
      data-box
      data-choosing={choosing || undefined}
      className={clsx(
        "absolute inset-y-0 left-0 grid w-7 place-items-center max-md:inset-auto max-md:right-1 max-md:bottom-0 max-md:size-12",
        choosing
          ? ""
          : "max-md:hidden md:opacity-0 group-hover/row:opacity-100 has-focus-visible:opacity-100 pointer-coarse:opacity-100",
      )}
    >
      <input
        type="checkbox"
        value={id}
        checked={checked}
        readOnly
        aria-label={`Select ${keyString}`}
        className="size-4 max-md:size-5"
      />
    </span>
  );
}
