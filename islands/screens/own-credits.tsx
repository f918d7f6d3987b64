import { LedgerList } from "../ledger/ledger-list.tsx";
import { ownLedger } from "../server/ledger.ts";
import { PageHeading } from "../ui/page-heading.tsx";

/** /reseller/credits (rules.md: Credits page). `search` is the query string that the page was asked with. */
export default function OwnCredits({ search }: { search: string }) {
  return (
    <>
      <PageHeading
        title="Credits"
        description="What came, what went, and the balance after."
        back={{ href: "/reseller", label: "Overview" }}
      />
      <LedgerList ledger={ownLedger} area="reseller" search={search} />
    </>
  );
}
