import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileCheck, Upload } from "lucide-react";
import { useState } from "react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { ApiFailure } from "../../api/api.ts";
import { gamesQuery } from "../../api/calls/catalogue.ts";
import { checkFile, type Import, type ImportForm, startImport } from "../../api/calls/imports.ts";
import { useWork } from "../../api/query.ts";
import { countText, pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { Effects } from "../../ui/effects.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";
import { ResellerField } from "../resellers/reseller-field.tsx";
import { Report } from "./import-result.tsx";
import { Mapping } from "./mapping.tsx";
import { PreviewTable, previewOfFile } from "./preview-table.tsx";

interface ChosenFileProps {
  file: File;
  onStarted: (id: number) => void;
}

type LeftOutValues = Pick<ImportForm, "game" | "owner">;

/** What a file becomes, what it leaves out, and the button that imports it. */
export default function ChosenFile({ file, onStarted }: ChosenFileProps) {
  const [leftOut, setLeftOut] = useState<LeftOutValues>({ game: "", owner: "" });
  return (
    <>
      <LeftOut game={leftOut.game} onChange={(changed) => setLeftOut({ ...leftOut, ...changed })} />
      <FileContent key={idOf(file).join()} file={file} leftOut={leftOut} onStarted={onStarted} />
    </>
  );
}

/** A file that was corrected in the meantime is another one. */
function idOf({ name, size, lastModified }: File) {
  return [name, size, lastModified];
}

function FileContent({ file, leftOut, onStarted }: ChosenFileProps & { leftOut: LeftOutValues }) {
  const [map, setMap] = useState<ImportForm["map"]>({});
  const query = useQuery({
    queryKey: ["preview", idOf(file), map, leftOut],
    queryFn: () => previewOfFile(file, { map, ...leftOut }),
    placeholderData: keepPreviousData,
    networkMode: "always",
  });
  const preview = query.data;
  if (query.isError) return <ErrorState message="The file could not be read." onRetry={() => void query.refetch()} />;
  if (!preview) return null;
  return (
    <>
      <Card>
        <CardHeading title="First Lines" description="The keys that they become." />
        <CardBody>
          <PreviewTable rows={preview.rows} problem={preview.problem} />
          <Mapping headings={preview.others} isOpen={preview.rows.length === 0} map={map} onChange={setMap} />
        </CardBody>
      </Card>
      {preview.problem === null && (
        <Start form={{ file, isJson: preview.isJson, map, ...leftOut }} onStarted={onStarted} />
      )}
    </>
  );
}

/** The game and the owner of lines that name none. */
function LeftOut(props: { game: string; onChange: (changed: Partial<LeftOutValues>) => void }) {
  const { game, onChange } = props;
  const { data: games = [] } = useQuery(gamesQuery);
  const [reseller, setReseller] = useState<Reseller | null>(null);
  return (
    <Card>
      <CardHeading
        title="Game and Owner"
        description="For lines that leave them out. A key without an owner is an admin key."
      />
      <CardBody className="grid gap-4 md:grid-cols-2">
        <NativeSelectField
          label="Game"
          hint="Without a game, a line is wrong."
          value={game}
          onChange={({ currentTarget }) => onChange({ game: currentTarget.value })}
          choices={[{ value: "", label: "None" }, ...games.map(({ name }) => ({ value: name, label: name }))]}
        />
        <ResellerField
          chosen={reseller}
          onChoose={(chosen) => {
            setReseller(chosen);
            onChange({ owner: chosen?.username ?? "" });
          }}
        />
      </CardBody>
    </Card>
  );
}

/** The server's own refusal of a size has a sentence. */
function proxyRefusal(error: Error): string | null {
  const isProxys = error instanceof ApiFailure && error.status === 413;
  return isProxys ? "A proxy in front of the panel refused this size (413). Raise its limit for request bodies." : null;
}

/** Counts what the file would become. The same button then imports it, until something is changed. */
function Start({ form, onStarted }: { form: ImportForm; onStarted: (id: number) => void }) {
  const of = JSON.stringify([form.map, form.game, form.owner]);
  const [check, setCheck] = useState<{ of: string; counts: Import } | null>(null);
  const counts = check?.of === of ? check.counts : null;
  const isChecked = counts !== null && counts.state === "finished";
  const canStart = isChecked && counts.valid > 0;
  const show = (found: Import) => setCheck({ of, counts: found });
  // One work, so that the second press of a double click on the first step does not start the second.
  const { mutate, isPending } = useWork({
    mutationFn: async () => (canStart ? onStarted((await startImport(form)).id) : show(await checkFile(form, show))),
    failed: (error) =>
      proxyRefusal(error) ?? (canStart ? "The import could not be started" : "The file could not be checked"),
  });
  return (
    <Card>
      <CardHeading
        title="Import"
        description="Nothing changes until you have seen what the file becomes."
        actions={
          <Button
            variant="primary"
            className="max-md:w-full"
            icon={canStart ? <Upload size={16} /> : <FileCheck size={16} />}
            busy={isPending}
            busyText={canStart ? "Uploading..." : "Checking..."}
            onClick={() => mutate()}
          >
            {canStart ? `Import ${pluralText(counts.valid, "Key")}` : "Check File"}
          </Button>
        }
      />
      {counts && (
        <CardBody className="grid gap-3">
          <Effects
            lines={{
              "Keys to import": countText(counts.valid),
              "Already there": countText(counts.duplicate),
              "Wrong lines": countText(counts.wrong),
            }}
            warning={isChecked && counts.valid === 0 && "There is nothing to import."}
          />
          {isChecked && counts.valid < counts.total && <Report of={counts} className="sm:justify-self-start" />}
        </CardBody>
      )}
    </Card>
  );
}
