import { useState } from "react";
import { usePreload } from "../runtime/preload.ts";
import { useUrlState } from "../state/url-state.ts";
import { KeptFocus } from "../ui/focus.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { FileChoice } from "./import/file-choice.tsx";
import { ImportResult } from "./import/import-result.tsx";

/** The import that is shown. It is in the address, so that a reload shows it again. */
const defaults = { id: "" };

/** /admin/import (rules.md: Import page). */
export default function ImportScreen({ search }: { search: string }) {
  const { values, change } = useUrlState(defaults, search);
  return (
    <>
      <PageHeading
        title="Import Keys"
        description="Bring your keys from another panel, with their devices."
        back={{ href: "/admin/database-backup", label: "Database Backup" }}
      />
      <KeptFocus />
      {values.id === "" ? (
        <NewImport onStarted={(id) => change({ id: String(id) })} />
      ) : (
        <ImportResult id={values.id} onAnother={() => change({ id: "" })} />
      )}
    </>
  );
}

/** Its 40 kB, with the reader of files, are loaded at the first sign of a user. */
const loadChosenFile = () => import("./import/chosen-file.tsx");
const ChosenFile = lazyPart(loadChosenFile);

const EarlierImports = lazyPart(() => import("./import/earlier-imports.tsx"));

/** A file becomes keys in three steps: choose it, check it, import it. */
function NewImport({ onStarted }: { onStarted: (id: number) => void }) {
  const [file, setFile] = useState<File | null>(null);
  usePreload(loadChosenFile);
  return (
    <div className="grid gap-4">
      <FileChoice file={file} onChoose={setFile} />
      {file && <ChosenFile file={file} onStarted={onStarted} />}
      <EarlierImports />
    </div>
  );
}
