import { useQuery } from "@tanstack/react-query";
import { Undo2, Upload } from "lucide-react";
import { useEffect } from "react";
import { downloadReport, type Import, importList, importQuery } from "../../api/calls/imports.ts";
import { refresh } from "../../api/query.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { DownloadCsv } from "../../api/use-download.tsx";
import { countText, pluralText } from "../../format.ts";
import { usePreload } from "../../runtime/preload.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading, Fact } from "../../ui/card.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";

const Undo = lazyDialog(() => import("./undo.tsx"));

/** How far an import has come, and what became of its lines. */
export function ImportResult({ id, onAnother }: { id: string; onAnother: () => void }) {
  const query = useQuery(importQuery(id));
  const { dialog, show } = useDialog<{ of: Import }>();
  usePreload(Undo.load);
  const { data } = query;
  // The list of imports comes back when this goes.
  useEffect(() => () => void refresh(importList), []);
  const another = (
    <Button icon={<Upload size={16} />} onClick={onAnother}>
      Import Another File
    </Button>
  );
  if (query.isError && !data) {
    return (
      <Card>
        <QueryFailure query={query} fallback="The import could not be loaded." />
        <CardBody className="text-center">{another}</CardBody>
      </Card>
    );
  }
  return (
    <Card>
      <CardHeading
        title={`Import ${id}`}
        description={<span role="status">{data ? stateText(data) : "Loading..."}</span>}
      />
      <CardBody className="grid gap-4">
        {data?.state === "running" && (
          <progress aria-label="Lines" max={Math.max(1, data.total)} value={data.done} className="block w-full" />
        )}
        <dl className="grid grid-cols-3 gap-4">
          <Fact name={data?.state === "undone" ? "Keys deleted" : "Keys imported"}>
            {data && countText(data.valid)}
          </Fact>
          <Fact name="Already exist">{data && countText(data.duplicate)}</Fact>
          <Fact name="Lines with errors">{data && countText(data.wrong)}</Fact>
          {data && data.orderIds.length > 0 && (
            <Fact name="Orders" wide>
              <span className="flex flex-wrap gap-x-3">
                {data.orderIds.map((orderId) => (
                  <TextLink key={orderId} href={`/admin/orders/${orderId}`}>{`#${orderId}`}</TextLink>
                ))}
              </span>
            </Fact>
          )}
        </dl>
        {data && data.state !== "running" && (
          <div className="flex flex-wrap gap-2 max-sm:*:w-full">
            <Report of={data} />
            {another}
            {data.state === "finished" && data.valid > 0 && (
              <Button
                variant="danger-quiet"
                icon={<Undo2 size={16} />}
                aria-haspopup="dialog"
                onClick={() => show({ of: data })}
              >
                Undo Import
              </Button>
            )}
          </div>
        )}
      </CardBody>
      {dialog && <Undo {...dialog} onChanged={() => void refresh(importQuery(id))} />}
    </Card>
  );
}

function stateText({ state, done, total }: Import): string {
  if (state === "undone") return "Undone: its keys were deleted.";
  if (state === "finished") return `Finished: ${pluralText(total, "line")}.`;
  return `${countText(done)} of ${pluralText(total, "line")}. It continues if you leave this page.`;
}

/** What became of each line, as a file. */
export function Report({ of: { id }, className }: { of: Import; className?: string }) {
  return (
    <DownloadCsv
      label="Download Report"
      className={className}
      fetchFile={() => downloadReport(id)}
      done="Report downloaded successfully"
    />
  );
}
