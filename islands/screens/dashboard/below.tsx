import { useQuery } from "@tanstack/react-query";
import { ownFiguresQuery } from "../../api/calls/figures.ts";
import { expiringOwnKeysQuery } from "../../api/calls/own-keys.ts";
import DayFigures from "../figures/day-figures.tsx";
import { ExpiringKeys } from "./expiring-keys.tsx";

/** What stands below the rest of the reseller's overview, and comes after it. The charts wait for what stands above them. */
export default function Below() {
  const { isPending } = useQuery(expiringOwnKeysQuery);
  if (isPending) return null;
  return (
    <>
      <ExpiringKeys />
      <DayFigures query={ownFiguresQuery} />
    </>
  );
}
