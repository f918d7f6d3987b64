import { useSetAtom } from "jotai";
import { useCallback, useState } from "react";
import { useLazy } from "../../../../runtime/lazy.ts";
import { usePreload } from "../../../../runtime/preload.ts";
import { choosingAtom } from "../../../../state/atoms.ts";
import type RowBox from "./row-box.tsx";
import type { SelectionBarProps } from "./selection-bar.tsx";

const loadRowBox = () => import("./row-box.tsx");
const loadBar = () => import("./selection-bar.tsx");

/**
 * The parts that select keys, as props of the list: the checkbox of each row, and the bar while any are selected. They
 * are loaded at the first sign of a user. `begin` starts selecting on a phone.
 */
export function useSelecting(selection: SelectionBarProps) {
  const [userIsActive, setUserIsActive] = useState(false);
  usePreload(useCallback(async () => setUserIsActive(true), []));
  const { Part } = useLazy(loadRowBox, userIsActive);
  const { Part: SelectionBar } = useLazy(loadBar, userIsActive);
  const setChoosing = useSetAtom(choosingAtom);
  const list = {
    selectable: true,
    // Not before the bar, which handles the presses: a visible checkbox can be pressed.
    lead: SelectionBar && (Part as typeof RowBox | null),
    bar: SelectionBar && <SelectionBar {...selection} />,
  };
  return { list, begin: () => setChoosing(true) };
}
