import type { Seen, SelectionCalls } from "../../../../api/calls/key-selection.ts";
import { countText } from "../../../../format.ts";

/** How many of what was seen the caller may revoke. A look by the same mark answers the same again, whatever was revoked since. */
export function revocableIn(
  { unused, connected, expired }: Seen,
  { evenExpired }: Pick<SelectionCalls, "evenExpired">,
) {
  return unused + connected + (evenExpired ? expired : 0);
}

/** "40 unused, 12 connected", and "3 expired, 2 revoked already". */
export function revokedAndNot(seen: Seen, { evenExpired }: Pick<SelectionCalls, "evenExpired">) {
  const { unused, connected, expired, revoked } = seen;
  const active = { unused, connected };
  return evenExpired
    ? { revoked: counted({ ...active, expired }), not: counted({ "revoked already": revoked }) }
    : { revoked: counted(active), not: counted({ expired, "revoked already": revoked }) };
}

function counted(kinds: Record<string, number>): string {
  return Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${countText(count)} ${kind}`)
    .join(", ");
}
