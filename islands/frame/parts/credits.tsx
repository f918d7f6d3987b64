import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ResellerProfile } from "../../../src/resellers/schema.ts";
import { creditsText } from "../../format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

export const profileQuery = queryOptions<ResellerProfile>({ queryKey: ["/api/reseller/profile"] });

/** The balance as the header and the sidebar say it. Both read the one profile that the screens refetch after a purchase. */
export function Credits() {
  const { data, isError } = useQuery(profileQuery);
  if (data) return <span className="figures">{creditsText(data.credits)}</span>;
  return isError ? <span title="The credits could not be loaded">–</span> : <Skeleton className="w-12" />;
}
