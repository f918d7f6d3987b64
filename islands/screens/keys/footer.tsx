import { countText, pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";

interface KeysFooterProps {
  rows: readonly unknown[];
  matchCount?: number;
  moreFailed: boolean;
  loadingMore: boolean;
  onReachEnd: () => void;
}

export function KeysFooter({ rows, matchCount, moreFailed, loadingMore, onReachEnd }: KeysFooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span role="status">
        Showing {countText(rows.length)} of {pluralText(matchCount ?? rows.length, "key")}
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
