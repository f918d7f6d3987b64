import { type Key, type LedgerRow, nameOf, put, type Reseller, refundTenths, type State, settled } from "./state.ts";

export function putReseller(state: State, reseller: Reseller): State {
  return { ...state, resellers: put(state.resellers, reseller.id, reseller) };
}

/** What costs nothing has no row. */
export function withLedgerRow(reseller: Reseller, row: LedgerRow): Reseller {
  return row.amountTenths === 0 ? reseller : { ...reseller, ledger: [...reseller.ledger, row] };
}

/** The state after a reseller has paid for one key, or got back what was paid for it. */
export function withKeyRow(
  state: State,
  key: Key,
  row: Pick<LedgerRow, "reason" | "amountTenths"> & { account: number },
): State {
  const reseller = state.resellers.get(key.owner as number);
  if (!reseller) return state;
  const { account, ...change } = row;
  const of = { orderId: key.orderId, keyId: key.id, by: nameOf(state, account), note: null };
  return putReseller(state, withLedgerRow(reseller, { ...change, ...of }));
}

/** Revokes a key that may be revoked, and refunds what was paid for it where the rules say so. */
export function revoked(state: State, key: Key, account: number, at: number): { state: State; refunded: number } {
  const refunded = refundTenths(state, key, at);
  const after = withKeyRow(state, key, { reason: "key_refund", amountTenths: refunded, account });
  const changed = { ...settled(key, at), revokedBy: account };
  return { state: { ...after, keys: put(after.keys, key.id, changed) }, refunded };
}

export function revokedAll(state: State, keys: Key[], account: number, at: number): { state: State; refunded: number } {
  return keys.reduce(
    (so, key) => {
      const next = revoked(so.state, key, account, at);
      return { state: next.state, refunded: so.refunded + next.refunded };
    },
    { state, refunded: 0 },
  );
}
