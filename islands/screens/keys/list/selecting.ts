import { useSetAtom } from "jotai";
import { useCallback, useState } from "react";
import { useLazy } from "../../../runtime/lazy.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { choosingAtom } from "../../../state/atoms.ts";
import type RowBox from "./selection/row-box.tsx";

const loadRowBox = () => import("./selection/row-box.tsx");
const loadBar = () => import("./selection/selection-bar.tsx");

/**
 * What a list of keys needs to have many of them chosen. It comes with the first sign of somebody: the box of each row, and what stands
 * below the list while any are chosen.
 */
export function useSelecting() {
  const [somebody, setSomebody] = useState(false);
  usePreload(useCallback(async () => setSomebody(true), []));
  const { Part } = useLazy(loadRowBox, somebody);
  const { Part: SelectionBar } = useLazy(loadBar, somebody);
  const setChoosing = useSetAtom(choosingAtom);
  return {
    // Not before the bar, which hears the presses: the two come one by one, and whoever sees a box may press it.
    rowBox: SelectionBar && (Part as typeof RowBox | null),
    SelectionBar,
    begin: SelectionBar ? () => setChoosing(true) : undefined,
  };
}
