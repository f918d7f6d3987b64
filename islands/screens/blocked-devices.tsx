import { LockOpen, ShieldBan } from "lucide-react";
import { useMemo } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import type { Block } from "../../src/keys/blocks/block-schema.ts";
import { blockCalls } from "../api/calls/keys.ts";
import { usePagedRows } from "../api/paged-rows.ts";
import { refresh, useWork } from "../api/query.ts";
import { useUrlState } from "../state/url-state.ts";
import { Button } from "../ui/button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Name } from "../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { FilterBar } from "../ui/table/filter-bar.tsx";
import { actionsColumn, RowAction } from "../ui/table/row-action.tsx";
import { Time } from "../ui/time.tsx";
import { keysPages } from "./keys/list/columns.tsx";

const BlockDevice = lazyDialog(() => import("./keys/life/block-device.tsx"));

const defaults = { search: "" };
const unblockAction = { label: "Unblock", icon: <LockOpen size={16} />, need: "keys:manage" } as const;

/** /admin/blocked-devices and /reseller/blocked-devices. `search` is the query string of the request. */
export default function BlockedDevices({ area, search }: { area: Role; search: string }) {
  const url = useUrlState(defaults, search);
  const list = usePagedRows(blockCalls(area).list, url.values);
  const { dialog, show } = useDialog();
  const columns = useMemo(() => columnsFor(area), [area]);
  const which = area === "admin" ? "any key, an admin's or a reseller's." : "any of your keys.";
  return (
    <>
      <PageHeading
        title="Blocked Devices"
        description={`They cannot connect to ${which}`}
        back={keysPages[area]}
        actions={
          <Button variant="primary" need="keys:manage" icon={<ShieldBan size={16} />} onClick={() => show({})}>
            Block Device
          </Button>
        }
      />
      <FilterBar
        {...url}
        search={{ label: "Search blocked devices", placeholder: "Device ID or reason" }}
        filters={[]}
      />
      <DataTable
        {...list}
        label="Blocked devices"
        columns={columns}
        narrowed={url.narrowed}
        empty={{ icon: <ShieldBan size={20} />, title: "No blocked devices", hint: "A key's page blocks its devices." }}
        noMatch={{ title: "No blocked devices match", hint: "Try another device ID or reason." }}
      />
      {dialog && <BlockDevice key={dialog.nth} {...dialog} area={area} deviceId="" />}
    </>
  );
}

function columnsFor(area: Role): DataColumn<Block>[] {
  return [
    {
      id: "device",
      header: "Device",
      cell: ({ deviceId }) => (
        <span translate="no" className="key-text whitespace-normal break-all">
          {deviceId}
        </span>
      ),
      note: ({ reason }) => reason,
    },
    {
      id: "by",
      header: "Blocked By",
      width: columnWidth(6, 9),
      card: "foot",
      dot: true,
      cell: ({ by }) => <Name of={by} />,
    },
    { id: "at", header: "Date", width: columnWidth(5.4, 7), card: "foot", cell: ({ at }) => <Time value={at} /> },
    actionsColumn(columnWidth(4.2, 7), [unblockAction], ({ id }) => <Unblocking area={area} id={id} />),
  ];
}

function Unblocking({ area, id }: { area: Role; id: number }) {
  const { list, unblock } = blockCalls(area);
  const work = useWork({
    mutationFn: () => unblock(id),
    done: ({ message }) => message,
    failed: "Failed to unblock device",
    onSettled: () => refresh(list),
  });
  return <RowAction {...unblockAction} busy={work.isPending} onClick={() => work.mutate()} />;
}
