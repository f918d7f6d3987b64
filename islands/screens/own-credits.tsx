import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ownLedger } from "../api/calls/ledger.ts";
import { profileQuery } from "../api/calls/session.ts";
import { refresh } from "../api/query.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { LedgerList } from "./ledger/ledger-list.tsx";

/** /reseller/credits (rules.md: Orders and credits pages). `search` is the query string of the request. */
export default function OwnCredits({ search }: { search: string }) {
  useFollowedBalance();
  return (
    <>
      <PageHeading
        title="Credits"
        description="Every credit in and out."
        back={{ href: "/reseller", label: "Overview" }}
      />
      <LedgerList ledger={ownLedger} area="reseller" search={search} />
    </>
  );
}

/** A changed balance (a grant over the live channel, a refetch on focus) means that the ledger has a new row. */
function useFollowedBalance(): void {
  const { data } = useQuery(profileQuery);
  const balance = data?.credits;
  const last = useRef(balance);
  useEffect(() => {
    if (last.current !== undefined && balance !== last.current) void refresh(ownLedger.list);
    last.current = balance;
  }, [balance]);
}
