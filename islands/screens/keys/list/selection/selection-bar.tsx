import { useAtomValue, useSetAtom, useStore } from "jotai";
import { Ban, Copy, FileSpreadsheet, ListChecks, Pencil, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { selectedIdsMax } from "../../../../../src/keys/limits.ts";
import type { KeyListQuery } from "../../../../../src/keys/schema.ts";
import { lookAtSelected, type Which, type Whose } from "../../../../api/calls/key-selection.ts";
import { useWork } from "../../../../api/work.ts";
import { countText, pluralText } from "../../../../format.ts";
import { Button, IconButton } from "../../../../ui/button.tsx";
import { lazyDialog, useDialog } from "../../../../ui/dialog/lazy-dialog.tsx";
import { showToast } from "../../../../ui/toast/store.ts";
import type { Key } from "../columns.tsx";
import { usePresses } from "./presses.ts";
import type { SelectedDialogProps } from "./selected-dialog.tsx";
import { chosenAtom, clearAtom, countAtom, isAll, isChoosingAtom, revocableIn, revokedAndNot } from "./selection.ts";
import { useTakingAlong } from "./taking-along.ts";

const SelectedDialog = lazyDialog(() => import("./selected-dialog.tsx"));

export interface SelectionBarProps {
  rows: readonly Key[];
  /** The list goes on after these rows. */
  hasMore: boolean;
  filters: Pick<KeyListQuery, "search" | "game" | "status">;
  whose: Whose;
  /** Cached rows of the list are out of date. */
  onChanged: () => void;
}

/** What the dialog is opened with: the figures stay as they were then. */
type Opened = Pick<SelectedDialogProps, "act" | "which" | "seen">;

/** What can be done with the keys that are chosen: quiet, below the list, and on a phone above the bottom bar. */
export default function SelectionBar({ rows, hasMore, filters, whose, onChanged }: SelectionBarProps) {
  const chosen = useAtomValue(chosenAtom);
  const count = useAtomValue(countAtom);
  const choosing = useAtomValue(isChoosingAtom);
  const clear = useSetAtom(clearAtom);
  const { dialog, show } = useDialog<Opened>();
  usePresses(rows);
  const fit = whichFit(filters);
  useClearing(JSON.stringify(fit), clear);

  /** By their ids, or as they were counted. */
  const which = (): Which => (isAll(chosen) ? chosen.which : { ids: [...chosen.keys()] });
  const { copy, csv } = useTakingAlong({ whose, which, rows });
  const done = () => {
    clear();
    onChanged();
  };

  const toRevoke = useLook("revoke", whose, which, show);
  const toNote = useLook("note", whose, which, show);

  return (
    <>
      <p role="status" className="sr-only">
        {choosing && count > 0 && `${pluralText(count, "key")} selected`}
      </p>
      {choosing && (
        <section aria-label="Selected keys" className={barLook}>
          <Chosen canHaveMore={hasMore || count < rows.length} fit={fit} whose={whose} />
          {count > 0 && (
            <div className="flex gap-1.5 max-md:w-full max-md:pb-2">
              <Act label="Copy" icon={<Copy size={16} />} busy={copy.isPending} onPress={() => copy.mutate()} />
              <Act label="CSV" icon={<FileSpreadsheet size={16} />} busy={csv.isPending} onPress={() => csv.mutate()} />
              {whose.resellerId === undefined && (
                <Act
                  label="Note"
                  icon={<Pencil size={16} />}
                  opens
                  busy={toNote.isPending}
                  onPress={() => toNote.mutate()}
                />
              )}
              <Act
                label="Revoke"
                icon={<Ban size={16} />}
                danger
                opens
                busy={toRevoke.isPending}
                onPress={() => toRevoke.mutate()}
              />
            </div>
          )}
        </section>
      )}
      {dialog && <SelectedDialog {...dialog} whose={whose} onDone={done} onChanged={onChanged} />}
    </>
  );
}

/** How many are chosen, and the way to all or none. */
function Chosen({ canHaveMore, fit, whose }: { canHaveMore: boolean; fit: Which; whose: Whose }) {
  const store = useStore();
  const clear = useSetAtom(clearAtom);
  const count = useAtomValue(countAtom);
  const all = isAll(useAtomValue(chosenAtom));
  const latest = useRef(fit);
  useEffect(() => {
    latest.current = fit;
  });
  const selectAll = useWork({
    mutationFn: async () => {
      const { mark, newestId, selected } = await lookAtSelected(whose, fit);
      const isStillShown = JSON.stringify(latest.current) === JSON.stringify(fit);
      if (isStillShown) store.set(chosenAtom, { which: { ...fit, mark }, newestId, count: selected });
    },
    failed: countFailure,
  });
  return (
    <div className="flex min-h-11 grow items-center gap-1 max-md:w-full">
      <IconButton
        label="Clear selection"
        icon={<X size={16} />}
        size="small"
        className="[--tip-shift:0] [--tip-start:-4px]"
        onClick={() => {
          clear();
          // The button goes, and the focus must not go with it.
          document.querySelector<HTMLElement>("[data-box] input")?.focus({ preventScroll: true });
        }}
      />
      <span className="figures grow px-1 font-medium whitespace-nowrap">{countSentence(count, all)}</span>
      {!all && canHaveMore && (
        <Button
          size="small"
          variant="ghost"
          className="max-[22.5rem]:[&_svg]:hidden"
          icon={<ListChecks size={16} />}
          busy={selectAll.isPending}
          busyText="Counting..."
          onClick={() => selectAll.mutate()}
        >
          Select all that match
        </Button>
      )}
    </div>
  );
}

function countSentence(count: number, all: boolean): string {
  if (count === 0) return "Tap to select";
  if (all) return `All ${countText(count)} selected`;
  return `${countText(count)} selected${count === selectedIdsMax ? " at most" : ""}`;
}

const barLook =
  "sticky bottom-4 z-15 mx-auto mt-3 flex w-fit max-w-full animate-slide items-center gap-x-3 rounded-xl border border-line bg-overlay px-1.5 lifted max-md:bottom-[calc(var(--bottom-bar)+0.5rem)] max-md:w-full max-md:flex-wrap md:min-w-120";

function Act(props: {
  label: string;
  icon: ReactNode;
  danger?: boolean;
  opens?: boolean;
  busy?: boolean;
  onPress: () => void;
}) {
  const { label, icon, danger = false, opens = false, busy, onPress } = props;
  return (
    <Button
      size="small"
      variant={danger ? "danger-quiet" : "secondary"}
      className="max-md:grow max-md:px-1.5 max-[22.5rem]:[&_svg]:hidden"
      icon={icon}
      busy={busy}
      aria-haspopup={opens ? "dialog" : undefined}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}

/** Counts the chosen keys and opens the dialog with the figures. */
function useLook(act: Opened["act"], whose: Whose, which: () => Which, show: (opened: Opened) => void) {
  return useWork({
    mutationFn: async () => {
      const those = which();
      const seen = await lookAtSelected(whose, those);
      if (act === "note" || revocableIn(seen, whose.area) > 0) {
        return show({ act, which: { ...those, mark: seen.mark }, seen });
      }
      const description = `None of them can be revoked: ${revokedAndNot(seen, whose.area).not}.`;
      showToast({ title: "Nothing to revoke", description });
    },
    failed: countFailure,
  });
}

const countFailure = "The keys could not be counted.";

/** Other filters show other keys, and what was chosen among those is no longer seen. */
function useClearing(filters: string, clear: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the filters, and the end of the list, lets go of what was chosen.
  useEffect(() => clear, [filters, clear]);
}

/** What the filters say to the server: one that is not set is not sent. */
function whichFit({ search, game, status }: SelectionBarProps["filters"]): Which {
  return {
    ...(search && { search }),
    ...(game && game !== "all" && { game }),
    ...(status && status !== "all" && { status }),
  };
}
