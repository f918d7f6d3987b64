import { useLazy } from "../runtime/lazy.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { Figures } from "./admin-overview/figures.tsx";
import { RecentActivity } from "./admin-overview/recent-activity.tsx";

const loadBelow = () => import("./admin-overview/condition.tsx");

/** The admin's first page (rules.md: Admin overview). */
export default function AdminOverview() {
  const { Part: Below } = useLazy(loadBelow, true);
  return (
    <>
      <PageHeading title="Overview" description="What your resellers, keys and updates come to today." />
      <Figures />
      <RecentActivity />
      {Below && <Below />}
    </>
  );
}
