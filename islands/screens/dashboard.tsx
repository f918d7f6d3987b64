import { useLazy } from "../runtime/lazy.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { Figures } from "./dashboard/figures.tsx";
import { QuickActions } from "./dashboard/quick-actions.tsx";
import { RecentKeys } from "./dashboard/recent-keys.tsx";

const loadBelow = () => import("./dashboard/expiring-keys.tsx");

/** The reseller's first page (rules.md: Reseller overview). */
export default function Dashboard({ username }: { username: string }) {
  const { Part: Below } = useLazy(loadBelow, true);
  return (
    <>
      <PageHeading title="Overview" description={`Welcome back, ${username}. This is where your shop stands today.`} />
      <Figures />
      <QuickActions />
      <RecentKeys />
      {Below && <Below />}
    </>
  );
}
