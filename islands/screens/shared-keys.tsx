import { useQuery } from "@tanstack/react-query";
import { Pause as PauseIcon, Share2, Unplug } from "lucide-react";
import { useMemo } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import { useGameFilter } from "../api/calls/catalogue.ts";
import { sharedKeysQuery } from "../api/calls/keys.ts";
import { refresh } from "../api/query.ts";
import { wholeList } from "../api/query-failure.tsx";
import { pluralText } from "../format.ts";
import { useUrlState } from "../state/url-state.ts";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { columnWidth, type DataColumn } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { FilterBar } from "../ui/table/filter-bar.tsx";
import { actionsColumn, RowAction } from "../ui/table/row-action.tsx";
import {
  devicesColumn,
  gameColumn,
  type Key,
  type KeyAction,
  keyColumn,
  keysPages,
  replaceAction as plainReplace,
  terse,
} from "./keys/list/columns.tsx";

const KeyDialog = lazyDialog(() => import("./keys/list/key-dialog.tsx"));

type Row = Key & { devicesRefused: number; releases: number };

const defaults = { game: "all" };
const managing = { className: terse, need: "keys:manage" } as const;
const replaceAction = { ...plainReplace, ...managing };
const pauseAction = { label: "Pause", icon: <PauseIcon size={16} />, ...managing } as const;
const removeAction = { label: "Remove All Devices", icon: <Unplug size={16} />, ...managing } as const;

/** /admin/shared-keys and /reseller/shared-keys (rules.md: Keys that seem shared). */
export default function SharedKeys({ area, search }: { area: Role; search: string }) {
  const url = useUrlState(defaults, search);
  const call = sharedKeysQuery(area, url.values.game);
  const query = useQuery(call);
  const rows = useMemo(() => query.data?.map(({ key, ...signs }): Row => ({ ...key, ...signs })), [query.data]);
  const games = useGameFilter(url.values.game);
  const { dialog, show } = useDialog<{ action: KeyAction; of: Row }>();
  const columns = useMemo(() => columnsFor(area, (action, of) => show({ action, of })), [area, show]);
  // For every game.
  const onChanged = () => void refresh({ queryKey: call.queryKey.slice(0, 1) });
  return (
    <>
      <PageHeading
        title="Keys That Seem Shared"
        description="More devices wanted to use them than they allow. Nothing happens to them by itself."
        back={keysPages[area]}
      />
      <FilterBar {...url} filters={[{ name: "game", label: "Game", choices: games }]} />
      <DataTable
        {...wholeList({ ...query, data: rows }, "The keys could not be loaded.")}
        label="Keys that seem shared"
        columns={columns}
        narrowed={url.narrowed}
        empty={{
          icon: <Share2 size={20} />,
          title: "No key seems shared",
          hint: "Keys that refuse at least 3 devices in two days appear here.",
        }}
        noMatch={{ title: "No key of this game seems shared", hint: "Try another game." }}
      />
      {dialog && <KeyDialog key={dialog.nth} {...dialog} scope={{ area }} onChanged={onChanged} />}
    </>
  );
}

function columnsFor(area: Role, open: (action: KeyAction, of: Row) => void): DataColumn<Row>[] {
  return [
    { ...keyColumn(area), sortable: false, note: signsOf, noteLines: "all" },
    { ...gameColumn, width: columnWidth(5.75, 9) },
    { ...devicesColumn, sortable: false },
    actionsColumn(columnWidth(7, 26, 1), [replaceAction, pauseAction, removeAction], (of) => (
      <>
        <RowAction {...replaceAction} onClick={() => open("replace", of)} />
        <RowAction {...pauseAction} onClick={() => open("pause", of)} />
        <RowAction {...removeAction} onClick={() => open("removeAll", of)} />
      </>
    )),
  ];
}

function signsOf({ devicesRefused: count, deviceLimit, releases }: Row): string {
  const others = count === 100 ? "100 or more other devices" : pluralText(count, "other device");
  const freed = releases > 0 ? ` Its players freed ${pluralText(releases, "device")}.` : "";
  return `${others} were refused since yesterday; the key allows ${deviceLimit}.${freed}`;
}
