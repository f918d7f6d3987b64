import { useAtomValue, useSetAtom, useStore } from "jotai";
import { ListChecks, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Role } from "../../../../../src/accounts/schema.ts";
import { selectedIdsMax } from "../../../../../src/keys/limits.ts";
import type { KeyListQuery } from "../../../../../src/keys/schema.ts";
import {
  countSelected,
  downloadSelected,
  type KeyScope,
  type KeySelector,
  type SelectionCounts,
} from "../../../../api/calls/key-selection.ts";
import { useWork } from "../../../../api/query.ts";
import { useDownload } from "../../../../api/use-download.tsx";
import { countText, pluralText } from "../../../../format.ts";
import type { Guarded } from "../../../../runtime/rights.ts";
import { Button, IconButton } from "../../../../ui/button.tsx";
import { copyText } from "../../../../ui/copy-button.tsx";
import { lazyDialog, useDialog } from "../../../../ui/dialog/lazy-dialog.tsx";
import { showToast, type ToastMessage } from "../../../../ui/toast/store.ts";
import { isReplaceable, type Key } from "../columns.tsx";
import { usePresses } from "./presses.ts";
import type { SelectedDialogProps } from "./selected-dialog.tsx";
import { chosenAtom, clearAtom, countAtom, isAll, isChoosingAtom, revocableIn, revokedAndNot } from "./selection.ts";

const SelectedDialog = lazyDialog(() => import("./selected-dialog.tsx"));
const Replacement = lazyDialog(() => import("../replacement.tsx"));

export interface SelectionBarProps {
  rows: readonly Key[];
  /** The list continues after these rows. */
  hasMore: boolean;
  filters: Pick<KeyListQuery, "search" | "game" | "status" | "orderId">;
  scope: KeyScope;
  /** Cached rows of the list are out of date. */
  onChanged: () => void;
}

/** The dialog keeps the counts from when it was opened. */
type Opened = Pick<SelectedDialogProps, "action" | "selector" | "counts">;

/** The actions for the selected keys: before the list, shown below it, and on a phone above the bottom bar. */
export default function SelectionBar({ rows, hasMore, filters, scope, onChanged }: SelectionBarProps) {
  const chosen = useAtomValue(chosenAtom);
  const count = useAtomValue(countAtom);
  const choosing = useAtomValue(isChoosingAtom);
  const clear = useSetAtom(clearAtom);
  const { dialog, show } = useDialog<Opened>();
  usePresses(rows);
  const matching = selectorOf(filters);
  useClearing(JSON.stringify(matching), clear);

  /** By ids, or by the filters that were counted. */
  const selector = (): KeySelector => (isAll(chosen) ? chosen.selector : { ids: [...chosen.keys()] });
  const { copy, csv } = useExportSelected({ scope, selector, rows });
  const done = () => {
    clear();
    onChanged();
  };

  const toRevoke = useCountedDialog("revoke", scope, selector, show);
  const toExtend = useCountedDialog("extend", scope, selector, show);
  const toNote = useCountedDialog("note", scope, selector, show);
  const { dialog: replacing, show: replace } = useDialog<{ of: Key }>();
  const only = isAll(chosen) || count > 1 ? undefined : [...chosen.values()].find(isReplaceable);
  const toReplace = { isPending: false, mutate: () => only && replace({ of: only }) };

  return (
    <>
      <p role="status" className="sr-only">
        {choosing && count > 0 && `${pluralText(count, "key")} selected`}
      </p>
      {choosing && (
        <section aria-label="Selected keys" data-selection-bar className={barLook}>
          <Chosen canHaveMore={hasMore || count < rows.length} matching={matching} scope={scope} />
          {count > 0 && (
            <div className="flex gap-1.5 max-md:w-full max-md:flex-wrap max-md:pb-2">
              <BarButton label="Copy" work={copy} />
              <BarButton label="CSV" work={csv} />
              {scope.resellerId === undefined && <BarButton label="Note" need="keys:manage" opens work={toNote} />}
              <BarButton label={`Extend ${pluralText(count, "key")}`} need="keys:order" opens work={toExtend} />
              {only && <BarButton label="Replace" need="keys:manage" opens work={toReplace} />}
              <BarButton label="Revoke" need="keys:manage" danger opens work={toRevoke} />
            </div>
          )}
        </section>
      )}
      {dialog && <SelectedDialog {...dialog} scope={scope} onDone={done} onChanged={onChanged} />}
      {replacing && <Replacement {...replacing} scope={scope} onChanged={done} />}
    </>
  );
}

/** How many keys are selected, and how to select all or none. */
function Chosen({ canHaveMore, matching, scope }: { canHaveMore: boolean; matching: KeySelector; scope: KeyScope }) {
  const store = useStore();
  const clear = useSetAtom(clearAtom);
  const count = useAtomValue(countAtom);
  const all = isAll(useAtomValue(chosenAtom));
  const latest = useRef(matching);
  useEffect(() => {
    latest.current = matching;
  });
  const selectAll = useWork({
    mutationFn: async () => {
      const { mark, newestId, selected } = await countSelected(scope, matching);
      const isStillShown = JSON.stringify(latest.current) === JSON.stringify(matching);
      if (isStillShown) store.set(chosenAtom, { selector: { ...matching, mark }, newestId, count: selected });
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
          // The button disappears, and must not take the focus with it.
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
  return `${countText(count)} selected${count === selectedIdsMax ? " (maximum)" : ""}`;
}

const barLook =
  "order-1 sticky bottom-4 z-15 mx-auto mt-3 flex w-fit max-w-full animate-slide items-center gap-x-3 rounded-xl border border-line bg-overlay px-1.5 lifted max-md:bottom-[calc(var(--bottom-bar)+0.5rem)] max-md:w-full max-md:flex-wrap md:min-w-120";

interface BarButtonProps extends Guarded {
  label: string;
  danger?: boolean;
  opens?: boolean;
  work: { isPending: boolean; mutate: () => void };
}

function BarButton({ label, need, danger = false, opens = false, work }: BarButtonProps) {
  return (
    <Button
      size="small"
      variant={danger ? "danger-quiet" : "secondary"}
      className="max-md:grow max-md:px-1.5"
      need={need}
      busy={work.isPending}
      // The command bar lists it.
      data-action
      aria-haspopup={opens ? "dialog" : undefined}
      onClick={() => work.mutate()}
    >
      {label}
    </Button>
  );
}

/** Copies the selected keys, one per line, or saves them as CSV. Keys that are not loaded come from the server. */
function useExportSelected(options: { scope: KeyScope; selector: () => KeySelector; rows: readonly Key[] }) {
  const { scope, selector, rows } = options;
  const chosen = useAtomValue(chosenAtom);
  const keys = pluralText(useAtomValue(countAtom), "key");
  const csv = useDownload(() => downloadSelected(scope, selector(), "csv"), `${keys} downloaded successfully`);
  const copy = useWork({
    mutationFn: async () => {
      const text = isAll(chosen)
        ? await (await downloadSelected(scope, selector(), "txt")).blob.text()
        : linesOf(chosen, rows);
      const description = "The browser blocked copying. Download the CSV instead.";
      if (!(await copyText(text))) showToast({ title: "Error", description, style: "destructive" });
      else showToast({ title: "Copied", description: `${keys} copied to clipboard`, brief: true });
    },
    failed: "Failed to copy keys",
  });
  return { copy, csv };
}

/** In the order of the list; keys that have left it come last. */
function linesOf(chosen: ReadonlyMap<number, Key>, rows: readonly Key[]): string {
  const listed = rows.filter(({ id }) => chosen.has(id));
  const ids = new Set(listed.map(({ id }) => id));
  const gone = [...chosen.values()].filter(({ id }) => !ids.has(id));
  return [...listed, ...gone].map(({ keyString }) => `${keyString}\n`).join("");
}

/** Counts the selected keys and opens the dialog with the counts. */
function useCountedDialog(
  action: Opened["action"],
  scope: KeyScope,
  selector: () => KeySelector,
  show: (opened: Opened) => void,
) {
  return useWork({
    mutationFn: async () => {
      const those = selector();
      const counts = await countSelected(scope, those);
      const none = noneText(action, counts, scope.area);
      if (none) return showToast(none);
      show({ action, selector: { ...those, mark: counts.mark }, counts });
    },
    failed: countFailure,
  });
}

/** Said instead of the dialog, if it could do nothing. */
function noneText(action: Opened["action"], counts: SelectionCounts, area: Role): ToastMessage | null {
  if (action === "revoke" && revocableIn(counts, area) === 0) {
    return {
      title: "Nothing to revoke",
      description: `None of these can be revoked: ${revokedAndNot(counts, area).not}.`,
    };
  }
  if (action === "extend" && counts.selected === counts.revoked) {
    return { title: "Nothing to extend", description: "All of these are revoked." };
  }
  return null;
}

const countFailure = "The keys could not be counted.";

/** Other filters show other keys, so the selected ones may no longer be visible. */
function useClearing(filters: string, clear: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the filters, and unmounting the list, clears the selection.
  useEffect(() => clear, [filters, clear]);
}

/** The filters for the server; one that is not set is left out. */
function selectorOf({ search, game, status, orderId }: SelectionBarProps["filters"]): KeySelector {
  return {
    ...(orderId !== undefined && { orderId }),
    ...(search && { search }),
    ...(game && game !== "all" && { game }),
    ...(status && status !== "all" && { status }),
  };
}
