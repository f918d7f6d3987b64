import { useAtomValue } from "jotai";
import { UserX } from "lucide-react";
import type { ReactNode } from "react";
import { resellersLeftAtAtom } from "../../state/atoms.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeading, type PageHeadingProps } from "../../ui/page-heading.tsx";

interface ResellerPageProps extends PageHeadingProps {
  /** There is no reseller with the id in the address. */
  unknown: boolean;
  children: ReactNode;
}

/** A page about one reseller, with the way back to the list as it was left. */
export function ResellerPage({ unknown, children, ...heading }: ResellerPageProps) {
  const resellersLeftAt = useAtomValue(resellersLeftAtAtom);
  const back = { href: `/admin/resellers${resellersLeftAt}`, label: "Back to resellers" };
  return (
    <>
      <PageHeading {...(unknown ? { title: heading.title } : heading)} back={back} />
      {unknown ? <NoSuchReseller /> : children}
    </>
  );
}

function NoSuchReseller() {
  return (
    <Card>
      <EmptyState
        icon={<UserX size={20} />}
        title="There is no such reseller."
        hint="Choose one from the list."
        action={
          <LinkButton href="/admin/resellers" variant="primary">
            Manage Resellers
          </LinkButton>
        }
      />
    </Card>
  );
}
