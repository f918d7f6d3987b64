import { useQuery } from "@tanstack/react-query";
import DayFigures from "../../day-figures/day-figures.tsx";
import { allFiguresQuery } from "../../server/figures.ts";
import { conditionQuery } from "../../server/overview.ts";
import { Condition } from "./condition.tsx";

/** What stands below the rest of the admin's overview, and comes after it. The charts wait for what stands above them. */
export default function Below() {
  const { isPending } = useQuery(conditionQuery);
  if (isPending) return null;
  return (
    <>
      <Condition />
      <DayFigures query={allFiguresQuery} />
    </>
  );
}
