import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileCheck, Upload } from "lucide-react";
import { useState } from "react";
import { replacementOf } from "../../../src/imports/reading/read.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { ApiFailure } from "../../api/api.ts";
import { gamesQuery } from "../../api/calls/catalogue.ts";
import {
  checkFile,
  type Import,
  type ImportCause,
  type ImportForm,
  startImport,
  valuesIn,
} from "../../api/calls/imports.ts";
import { useWork } from "../../api/query.ts";
import { countText, pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { Effects } from "../../ui/effects.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";
import { ResellerField } from "../resellers/reseller-field.tsx";
import { Causes, causeId, fixesWith } from "./causes.tsx";
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
  const [fixes, setFixes] = useState<ImportForm["fixes"]>({ map: {}, values: {} });
  const query = useQuery({
    queryKey: ["preview", idOf(file), fixes, leftOut],
    queryFn: () => previewOfFile(file, { ...fixes, replacements: valuesIn(fixes).map(replacementOf), ...leftOut }),
    placeholderData: keepPreviousData,
    networkMode: "always",
  });
  const preview = query.data;
  if (query.isError) return <ErrorState message="The file could not be read." onRetry={() => void query.refetch()} />;
  if (!preview) return null;
  const { rows, problem, others, isJson } = preview;
  const setMap = (map: ImportForm["fixes"]["map"]) => setFixes({ ...fixes, map });
  return (
    <>
      <Card>
        <CardHeading title="Preview" />
        <CardBody>
          <PreviewTable rows={rows} problem={problem} />
          <Mapping headings={others} isOpen={rows.length === 0} map={fixes.map} onChange={setMap} />
        </CardBody>
      </Card>
      {problem === null && <Start form={{ file, isJson, fixes, ...leftOut }} onFix={setFixes} onStarted={onStarted} />}
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
        title="Defaults for lines without a game or owner"
        description="A key without an owner is an admin key."
      />
      <CardBody className="grid gap-4 md:grid-cols-2">
        <NativeSelectField
          label="Game"
          hint="Lines without a game are rejected."
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

interface StartProps extends Pick<ChosenFileProps, "onStarted"> {
  form: ImportForm;
  onFix: (fixes: ImportForm["fixes"]) => void;
}

/** Counts what the file would become. The same button then imports it, until something is changed. */
function Start({ form, onFix, onStarted }: StartProps) {
  const [check, setCheck] = useState<{ of: string; counts: Import; causes: ImportCause[] } | null>(null);
  const [decisions, setDecisions] = useState<Record<string, string>>({});
  const counts = check?.of === JSON.stringify(form) ? check.counts : null;
  const isChecked = counts !== null && counts.state === "finished";
  const canStart = isChecked && counts.valid > 0;
  const { causes = [] } = check ?? {};
  const isDecided = (made: typeof decisions) => causes.every((cause) => causeId(cause) in made);
  // One work, so that the second press of a double click on the first step does not start the second.
  const { mutate, mutateAsync, isPending } = useWork({
    mutationFn: async ({ given, isImport }: { given: ImportForm; isImport: boolean }) => {
      if (isImport) return onStarted((await startImport(given)).id);
      const of = JSON.stringify(given);
      setCheck({ of, ...(await checkFile(given, (soFar) => setCheck({ of, counts: soFar, causes }))) });
    },
    failed: (error, { isImport }) =>
      proxyRefusal(error) ?? (isImport ? "The import could not be started" : "The file could not be checked"),
  });
  function decide(cause: ImportCause, choice: string) {
    const made = { ...decisions, [causeId(cause)]: choice };
    const given = { ...form, fixes: fixesWith(form.fixes, cause, choice) };
    setDecisions(made);
    onFix(given.fixes);
    // The last choice checks the file again.
    if (isDecided(made) && JSON.stringify(given) !== check?.of) mutateAsync({ given, isImport: false }).catch(() => {});
  }
  const leftOut = counts ? counts.duplicate + counts.wrong : 0;
  return (
    <Card>
      <CardHeading
        title="Import"
        description="Nothing is imported yet."
        actions={
          <Button
            variant={isDecided(decisions) ? "primary" : "secondary"}
            className="max-md:w-full"
            icon={canStart ? <Upload size={16} /> : <FileCheck size={16} />}
            busy={isPending}
            busyText={canStart ? "Uploading..." : "Checking..."}
            onClick={() => mutate({ given: form, isImport: canStart })}
          >
            {canStart
              ? `Import ${pluralText(counts.valid, "key")}${leftOut > 0 ? `, leave out ${countText(leftOut)}` : ""}`
              : "Check File"}
          </Button>
        }
      />
      {check && (
        <CardBody className="grid gap-3">
          <Effects
            lines={{
              "Keys to import": countText(check.counts.valid),
              "Already exist": countText(check.counts.duplicate),
              "Lines with errors": countText(check.counts.wrong),
            }}
            warning={isChecked && counts.valid === 0 && "There is nothing to import."}
          />
          {causes.length > 0 && <Causes causes={causes} decisions={decisions} busy={isPending} onDecide={decide} />}
          {isChecked && counts.valid < counts.total && <Report of={counts} className="sm:justify-self-start" />}
        </CardBody>
      )}
    </Card>
  );
}
