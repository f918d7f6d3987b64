import { Archive, Clock, Database, Download, Rows3 } from "lucide-react";
import { useState } from "react";
import type { Collection } from "../../../src/backups/schema.ts";
import { downloadAll } from "../../api/calls/backup.ts";
import { useDownload } from "../../api/use-download.tsx";
import { countText, sizeText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading, StatCard } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";

/** Everything in one file. The server streams it, so the size received is known, but not the total. */
export function CompleteArchive({ collections }: { collections: Collection[] | undefined }) {
  const [receivedBytes, setReceivedBytes] = useState(0);
  const fetchArchive = () => {
    setReceivedBytes(0);
    return downloadAll(fallbackName(new Date()), setReceivedBytes);
  };
  const { mutate, isPending } = useDownload(fetchArchive, "Complete backup archive downloaded successfully", {
    failed: "Failed to download backup archive",
  });
  const received = `${sizeText(receivedBytes)} received`;
  const atRest = collections?.length
    ? `About ${sizeText(totalOf(collections, "size"))} before compression`
    : "One zip file";
  return (
    <Card className="relative mb-4 overflow-clip">
      <CardHeading
        icon={<Archive size={20} />}
        title="Complete Archive"
        description={
          <span className="block max-w-lg">
            A snapshot of every collection, with a manifest of counts and checksums. It contains no passwords, sessions
            or signing keys.
            <span className="figures mt-1 block text-sm text-faint">{isPending ? received : atRest}</span>
          </span>
        }
        actions={
          <Button
            variant="primary"
            className="max-md:w-full"
            icon={<Download size={16} />}
            busy={isPending}
            busyText="Downloading..."
            onClick={() => mutate()}
          >
            Download All
          </Button>
        }
      />
      {isPending && (
        <div
          role="progressbar"
          aria-label="Complete archive"
          aria-valuetext={received}
          className="absolute inset-x-0 bottom-0 h-1 animate-breathe bg-brass"
        />
      )}
    </Card>
  );
}

/** Used only when the response has no filename (rules.md: Downloads). */
export function fallbackName(now: Date): string {
  return `latchkey-backup-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.json`;
}

interface SummaryCardsProps {
  collections: Collection[] | undefined;
  /** Loading failed: unknown figures are N/A instead of a skeleton. */
  failed: boolean;
}

export function SummaryCards({ collections, failed }: SummaryCardsProps) {
  const latest = collections && latestChanged(collections);
  const unknown = failed ? "N/A" : undefined;
  // While they load, the details are blank lines: the cards keep their height.
  const blank = "\u00a0";
  return (
    <dl className="mb-4 grid grid-cols-2 max-md:*:last:col-span-2 gap-3 md:grid-cols-3 md:gap-4">
      <StatCard
        label="Collections"
        icon={<Database size={18} />}
        figure={collections ? countText(collections.length) : unknown}
      />
      <StatCard
        label="Total Records"
        icon={<Rows3 size={18} />}
        figure={collections ? countText(totalOf(collections, "count")) : unknown}
        detail={collections ? `${sizeText(totalOf(collections, "size"))} in total` : blank}
      />
      <StatCard
        label="Last Updated"
        icon={<Clock size={18} />}
        figure={collections ? <Time value={latest?.modified} format="dateAndTime" /> : unknown}
        characters={"Mar 05, 14:07".length}
        detail={latest ? `In ${latest.name}` : blank}
      />
    </dl>
  );
}

function totalOf(collections: readonly Collection[], figure: "count" | "size"): number {
  return collections.reduce((sum, collection) => sum + collection[figure], 0);
}

/** The collection changed last, if any. ISO instants of equal length sort as text. */
function latestChanged(collections: readonly Collection[]): Collection | undefined {
  return collections.reduce<Collection | undefined>(
    (latest, collection) => ((collection.modified ?? "") > (latest?.modified ?? "") ? collection : latest),
    undefined,
  );
}
