import { useQuery } from "@tanstack/react-query";
import DayFigures from "../../day-figures/day-figures.tsx";
import { ownFiguresQuery } from "../../server/figures.ts";
import { expiringOwnKeysQuery } from "../../server/own-keys.ts";
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
