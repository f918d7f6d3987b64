import { useQuery } from "@tanstack/react-query";
import { allFiguresQuery } from "../../api/calls/figures.ts";
import { conditionQuery } from "../../api/calls/overview.ts";
import DayFigures from "../figures/day-figures.tsx";
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
