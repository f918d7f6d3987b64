import { countText } from "../../format.ts";

/** Section 2: X is how many keys the filters let through, whether or not one has scrolled to them; Y is all there are. */
export function ManageFooter({ matchCount = 0, totalCount = 0 }: { matchCount?: number; totalCount?: number }) {
  return (
    <span role="status">
      Showing {countText(matchCount)} of {countText(totalCount)} total admin keys
    </span>
  );
}
