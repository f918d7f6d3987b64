import type { Collection } from "../../../src/backups/schema.ts";
import { countText, sizeText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import type { DataColumn } from "../../ui/table/column.ts";
import { Time } from "../../ui/time.tsx";
import { collectionType } from "./collection-type.ts";
import { DownloadCollection } from "./download-collection.tsx";

export const nameOf = ({ name }: Collection) => name;

/** The widths stand, so that no column moves when the rows come. */
export const columns: DataColumn<Collection>[] = [
  { id: "name", header: "Collection", width: "30%", cell: ({ name }) => <span className="key-text">{name}</span> },
  {
    id: "type",
    header: "Type",
    width: "16%",
    card: "corner",
    cell: ({ name }) => <Badge tone="plain">{collectionType(name)}</Badge>,
  },
  { id: "count", header: "Records", width: "12%", align: "right", cell: ({ count }) => countText(count) },
  { id: "size", header: "Size", width: "14%", align: "right", cell: ({ size }) => sizeText(size) },
  { id: "modified", header: "Modified", width: "14%", cell: ({ modified }) => <Time value={modified} /> },
  {
    id: "actions",
    header: "Actions",
    width: "14%",
    align: "right",
    card: "actions",
    cell: ({ name }) => <DownloadCollection name={name} />,
  },
];
