import { useState } from "react";
import { usePreload } from "../../runtime/preload.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { FileChoice } from "./file-choice.tsx";

/** Its 40 kB, with the reader of files, are loaded at the first sign of a user. */
const loadChosenFile = () => import("./chosen-file.tsx");
const ChosenFile = lazyPart(loadChosenFile);

/** A file becomes keys in three steps: choose it, check it, import it. */
export function NewImport({ onStarted }: { onStarted: (id: number) => void }) {
  const [file, setFile] = useState<File | null>(null);
  usePreload(loadChosenFile);
  return (
    <div className="grid gap-4">
      <FileChoice file={file} onChoose={setFile} />
      {file && <ChosenFile file={file} onStarted={onStarted} />}
    </div>
  );
}
