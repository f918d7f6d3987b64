import { useSetAtom } from "jotai";
import { useCallback, useState } from "react";
import { useLazy } from "../../../../runtime/lazy.ts";
import { usePreload } from "../../../../runtime/preload.ts";
import { choosingAtom } from "../../../../state/atoms.ts";
import type RowBox from "./row-box.tsx";

const loadRowBox = () => import("./row-box.tsx");
const loadBar = () => import("./selection-bar.tsx");

/**
 * The parts that select keys: the checkbox of each row, and the bar of the list while any are selected. They are
 * loaded at the first sign of a user.
 */
export function useSelecting() {
  const [userIsActive, setUserIsActive] = useState(false);
  usePreload(useCallback(async () => setUserIsActive(true), []));
  const { Part } = useLazy(loadRowBox, userIsActive);
  const { Part: SelectionBar } = useLazy(loadBar, userIsActive);
  const setChoosing = useSetAtom(choosingAtom);
  return {
    // Not before the bar, which handles the presses: a visible checkbox can be pressed.
    rowBox: SelectionBar && (Part as typeof RowBox | null),
    SelectionBar,
    begin: () => setChoosing(true),
  };
}
