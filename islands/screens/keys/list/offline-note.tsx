import { useQuery } from "@tanstack/react-query";
import { gamesQuery } from "../../../api/calls/catalogue.ts";
import { pluralText } from "../../../format.ts";

/** Until when a revoked key may still work, on a device without a connection. Without a game: a key of any. */
export function OfflineNote({ game = "all" }: { game?: string }) {
  const { data = [] } = useQuery(gamesQuery);
  const leases = data.filter(({ name }) => game === "all" || name === game).map(({ leaseHours }) => leaseHours);
  const hours = Math.max(0, ...leases);
  if (hours === 0) return null;
  return <span className="mt-2 block">Games that are offline stop within {pluralText(hours, "hour")}.</span>;
}
