import { useQuery } from "@tanstack/react-query";
import { creditsText } from "../../format.ts";
import { profileQuery } from "../../server/profile.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The balance as the header and the sidebar say it. Both read the one profile that the screens refetch after a purchase. */
export function Credits() {
  const { data, isError } = useQuery(profileQuery);
  if (data) return <span className="figures">{creditsText(data.credits)}</span>;
  return isError ? <span title="The credits could not be loaded">–</span> : <Skeleton className="w-12" />;
}
