import { Clock, Database, Rows3 } from "lucide-react";
import type { Collection } from "../../../src/backups/schema.ts";
import { countText, sizeText } from "../../format.ts";
import { StatCard } from "../../ui/stat-card.tsx";
import { Time } from "../../ui/time.tsx";

interface SummaryCardsProps {
  collections: Collection[] | undefined;
  /** Nothing came and nothing will: figures that are not known are N/A, and no skeleton waits for them. */
  failed: boolean;
}

export function SummaryCards({ collections, failed }: SummaryCardsProps) {
  const latest = collections && latestChanged(collections);
  const unknown = failed ? "N/A" : undefined;
  return (
    <dl className="mb-4 grid grid-cols-2 max-md:*:last:col-span-2 gap-3 md:grid-cols-3 md:gap-4">
      <StatCard
        label="Collections"
        icon={<Database aria-hidden size={18} />}
        figure={collections ? countText(collections.length) : unknown}
      />
      <StatCard
        label="Total Records"
        icon={<Rows3 aria-hidden size={18} />}
        figure={collections ? countText(totalOf(collections, "count")) : unknown}
        detail={collections && `${sizeText(totalOf(collections, "size"))} in all`}
      />
      <StatCard
        label="Last Updated"
        icon={<Clock aria-hidden size={18} />}
        figure={collections ? <Time value={latest?.modified} format="dateAndTime" /> : unknown}
        characters={"Mar 05, 14:07".length}
        detail={latest && `In ${latest.name}`}
      />
    </dl>
  );
}

export function totalOf(collections: readonly Collection[], figure: "count" | "size"): number {
  return collections.reduce((sum, collection) => sum + collection[figure], 0);
}

/** The collection that was changed last, if any ever was. Instants in UTC, all of one length, sort as texts. */
function latestChanged(collections: readonly Collection[]): Collection | undefined {
  return collections.reduce<Collection | undefined>(
    (latest, collection) => ((collection.modified ?? "") > (latest?.modified ?? "") ? collection : latest),
    undefined,
  );
}
