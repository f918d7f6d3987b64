import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { newestResellersQuery } from "../../api/calls/resellers.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { RecentRows } from "../figures/overview-parts.tsx";

export function RecentActivity() {
  const list = useQuery(newestResellersQuery);
  return (
    <Card className="mt-8 overflow-clip">
      <CardHeading
        title="Recent Activity"
        actions={
          <span className="-my-1 -mr-2.5 flex">
            <LinkButton href="/admin/audit" variant="ghost" size="small">
              <span className="max-sm:hidden">View the record</span>
              <span className="sm:hidden">Record</span>
            </LinkButton>
            <LinkButton href="/admin/resellers" variant="ghost" size="small">
              View all
            </LinkButton>
          </span>
        }
      />
      <RecentRows
        list={list}
        failureText={({ message }) => message}
        loading="Loading recent activity"
        skeletonLook={rowLook}
        skeleton={(index) => (
          <Row date={<Skeleton className="w-20" />}>
            <Skeleton className={index % 2 === 0 ? "w-56" : "w-48"} />
          </Row>
        )}
        empty={
          <EmptyState
            icon={<UserPlus size={20} />}
            title="No resellers registered yet"
            hint="Generate tokens to invite resellers"
            action={
              <LinkButton href="/admin/tokens" variant="primary">
                Referral Tokens
              </LinkButton>
            }
          />
        }
        row={({ id, username, registrationDate }) => (
          <a
            href={`/admin/resellers/${id}/keys`}
            className={`${rowLook} -outline-offset-2 transition-colors hover:bg-raised`}
          >
            <Row date={<Time value={registrationDate} />}>Reseller registered: {username}</Row>
          </a>
        )}
      />
    </Card>
  );
}

const rowLook = "flex min-h-14 items-center gap-3 px-4 py-2.5 md:px-5";

function Row({ date, children }: { date: ReactNode; children: ReactNode }) {
  return (
    <>
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-md border border-line bg-raised text-muted"
      >
        <UserPlus size={16} />
      </span>
      <span className="min-w-0 grow">{children}</span>
      <span className="shrink-0 text-sm text-muted">{date}</span>
    </>
  );
}
