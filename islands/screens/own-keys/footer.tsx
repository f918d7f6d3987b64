import { countText, pluralText } from "../../format.ts";

export function KeysFooter({ rows, matchCount }: { rows: readonly unknown[]; matchCount?: number }) {
  return (
    <span role="status">
      Showing {countText(rows.length)} of {pluralText(matchCount ?? rows.length, "key")}
    </span>
  );
}
