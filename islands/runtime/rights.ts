import { createContext, useContext } from "react";

/** A right that staff may have, or `everything`: only a full account has it. */
type Need = `${string}:${string}` | "everything";

/** Any one of several is enough. */
export type Needs = Need | readonly Need[];

/** A part that is left out for a viewer without the right that it needs. */
export interface Guarded {
  need?: Needs;
}

/** What the viewer may do, and which addresses the viewer may open (rules.md: Staff). */
export interface UsedRights {
  may: (needs?: Needs) => boolean;
  mayOpen: (address: string) => boolean;
}

export const RightsContext = createContext<UsedRights>({ may: () => true, mayOpen: () => true });

export function useRights(): UsedRights {
  return useContext(RightsContext);
}
