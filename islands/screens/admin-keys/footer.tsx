import { countText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";

interface ManageFooterProps {
  matchCount?: number;
  totalCount?: number;
  moreFailed: boolean;
  loadingMore: boolean;
  onReachEnd: () => void;
}

/** Section 2: X is how many keys the filters let through, whether or not one has scrolled to them; Y is all there are. */
export function ManageFooter({
  matchCount = 0,
  totalCount = 0,
  moreFailed,
  loadingMore,
  onReachEnd,
}: ManageFooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span role="status">
        Showing {countText(matchCount)} of {countText(totalCount)} total admin keys
      </span>
      {moreFailed && (
        <span role="alert" className="flex items-center gap-3">
          More keys could not be loaded.
          <Button size="small" busy={loadingMore} onClick={onReachEnd}>
            Retry
          </Button>
        </span>
      )}
    </div>
  );
}
