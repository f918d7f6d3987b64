import { useQuery } from "@tanstack/react-query";
import type { Seen } from "../../../../api/calls/key-selection.ts";

const lookEveryMs = 1_000;

/** So few are done before a look would be answered. */
const watchedKeysMin = 2_000;

/** How far the work on many keys is, which a look by their mark tells while it lasts. `null` until it is known. */
export function useProgress(options: {
  working: boolean;
  total: number;
  look: () => Promise<Seen>;
  leftIn: (seen: Seen) => number;
}): number | null {
  const { working, total, look, leftIn } = options;
  const { data } = useQuery({
    queryKey: ["progress of a selection"],
    queryFn: look,
    enabled: working && total >= watchedKeysMin,
    refetchInterval: lookEveryMs,
    staleTime: 0,
    gcTime: 0,
  });
  return data && working ? Math.max(0, total - leftIn(data)) : null;
}
