import { type Import, undoImport } from "../../api/calls/imports.ts";
import { pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

interface UndoProps extends Openable {
  of: Pick<Import, "id" | "valid">;
  onChanged: () => void;
}

/** Asks before the keys of an import are deleted. */
export default function Undo({ of: { id, valid }, onChanged, ...dialog }: UndoProps) {
  return (
    <Confirmation
      {...dialog}
      title="Undo Import"
      text={
        <>
          <strong className="font-medium text-text">{pluralText(valid, "key")}</strong> will be deleted, so that the
          file can be imported again. Nothing is deleted if a key has been used since.
        </>
      }
      busyLabel="Undoing..."
      mutationFn={() => undoImport(id)}
      done={`${pluralText(valid, "key")} deleted`}
      failed="Failed to undo the import"
      onSettled={onChanged}
      closesAfter={["ALREADY_UNDONE", "IMPORT_IN_USE"]}
    />
  );
}
