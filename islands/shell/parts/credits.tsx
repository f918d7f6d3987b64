import { useQuery } from "@tanstack/react-query";
import { profileQuery } from "../../api/calls/profile.ts";
import { creditsText } from "../../format.ts";
import { useCounting } from "../../ui/counting.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The balance as the header and the sidebar say it. Both read the one profile that the screens refetch after a purchase. */
export function Credits() {
  const { data, isError } = useQuery(profileQuery);
  if (data) return <Balance credits={data.credits} />;
  return isError ? <span title="The credits could not be loaded">–</span> : <Skeleton className="w-12" />;
}

function Balance({ credits }: { credits: number }) {
  return <span className="figures">{creditsText(useCounting(credits))}</span>;
}
