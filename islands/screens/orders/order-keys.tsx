import { Ban, Eye, ListChecks } from "lucide-react";
import { useMemo, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { KeyScope } from "../../api/calls/key-selection.ts";
import type { OpenedOrder } from "../../api/calls/orders.ts";
import { countText, pluralText } from "../../format.ts";
import { IconButton, TextLink } from "../../ui/button.tsx";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { actionsColumn, RowLink } from "../../ui/table/row-action.tsx";
import {
  deviceCountOf,
  devicesColumn,
  expiryColumn,
  type Key,
  keyColumn,
  statusColumn,
} from "../keys/list/columns.tsx";
import { useSelecting } from "../keys/list/selection/use-selecting.tsx";
import { ExportKeys } from "../keys/order/export-keys.tsx";
import { statusesText, undoneImport } from "./words.ts";

const UnusedRevocation = lazyDialog(() => import("./unused-revocation.tsx"));

/** Most keys of an order have the same game, so only the differences have columns. In order of generation. */
function columnsIn(area: Role, withExpiry: boolean): DataColumn<Key>[] {
  return [
    { ...keyColumn(area), sortable: false },
    ...(withExpiry ? [{ ...expiryColumn, sortable: false }] : []),
    { ...devicesColumn, sortable: false, card: withExpiry ? "fact" : "foot" },
    statusColumn,
    actionsColumn(columnWidth(4, 7), [viewAction], ({ id }) => (
      <RowLink {...viewAction} href={`/${area}/keys/${id}`} tabIndex={-1} />
    )),
  ];
}

const revokeAction = { label: "Revoke Unused", icon: <Ban size={16} />, danger: true, need: "keys:manage" } as const;
const viewAction = { label: "View", icon: <Eye size={16} /> };

interface OrderKeysProps {
  scope: KeyScope;
  order: OpenedOrder;
  revokeUnused: (count: number) => Promise<{ refund: number }>;
  onChanged: () => void;
}

export function OrderKeys({ scope, order, revokeUnused, onChanged }: OrderKeysProps) {
  const { area } = scope;
  const { kind, count, keys, undoneAt } = order;
  const filters = { orderId: order.id };
  const { list, begin } = useSelecting({ rows: keys, hasMore: keys.length < count, filters, scope, onChanged });
  const [revoking, setRevoking] = useState(false);
  const withExpiry = !expireTogether(keys);
  const columns = useMemo(() => columnsIn(area, withExpiry), [area, withExpiry]);
  // An import may have more keys than are shown and than one call revokes.
  const unused = kind === "import" ? 0 : keys.filter(isUnused).length;
  return (
    <section aria-label="Keys of this order">
      <div className="mb-3 flex flex-wrap items-center gap-2 md:gap-4">
        <p className="figures flex min-h-11 grow flex-wrap items-center gap-x-4 text-muted max-md:mb-2 max-md:flex-1">
          <span>
            {keys.length < count && `The first ${countText(keys.length)} keys: `}
            {statusesText(keys)}
            {unused > 0 && `; ${pluralText(unused, "key")} not used yet`}
          </span>
          <TextLink href={listOf(scope, order)}>View in Manage Keys</TextLink>
        </p>
        <IconButton
          label="Select keys"
          icon={<ListChecks size={16} />}
          variant="secondary"
          className="md:hidden"
          onClick={begin}
        />
        {keys.length === count && undoneAt === null && (
          <ExportKeys keys={keys} more={unused > 0 ? [{ ...revokeAction, onSelect: () => setRevoking(true) }] : []} />
        )}
      </div>
      <DataTable
        {...list}
        label="Keys"
        columns={columns}
        rows={keys}
        state="ready"
        empty={{ title: undoneImport, hint: "Its keys were deleted." }}
      />
      <UnusedRevocation
        open={revoking}
        onOpenChange={setRevoking}
        game={keys[0]?.game}
        count={unused}
        revoke={revokeUnused}
        onChanged={onChanged}
      />
    </section>
  );
}

/** The list of keys that has this order's, with only these. */
function listOf({ area, resellerId }: KeyScope, { id }: OpenedOrder): string {
  if (area === "reseller") return `/reseller/keys?order=${id}`;
  if (resellerId !== undefined) return `/admin/resellers/${resellerId}/keys?order=${id}`;
  return `/admin/create-keys?tab=manage&order=${id}`;
}

/** Some may have been extended, or have started at different times. */
export function expireTogether(keys: readonly Key[]): boolean {
  return new Set(keys.map(({ expiryDate }) => expiryDate)).size <= 1;
}

/** No device is connected, and one could be. */
function isUnused(key: Key): boolean {
  return (key.status === "ACTIVE" || key.status === "PAUSED") && deviceCountOf(key) === 0;
}
