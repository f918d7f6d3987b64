import { closeAfter } from "../../api/api.ts";
import { type Import, undoImport } from "../../api/calls/imports.ts";
import { useWork } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

interface UndoProps extends Openable {
  of: Import;
  onChanged: () => void;
}

/** Asks before the keys of an import are deleted. */
export default function Undo({ of: { id, valid }, onChanged, ...dialog }: UndoProps) {
  const { mutateAsync } = useWork({
    mutationFn: () => undoImport(id),
    done: `${pluralText(valid, "key")} deleted`,
    failed: "Failed to undo the import",
    onSettled: onChanged,
  });
  return (
    <Confirm
      {...dialog}
      title="Undo Import"
      text={
        <>
          <strong className="font-medium text-text">{pluralText(valid, "key")}</strong> will be deleted, and their texts
          are free again. Nothing is deleted if one of them has been used since.
        </>
      }
      confirmLabel="Undo Import"
      busyLabel="Undoing..."
      onConfirm={() => mutateAsync().catch(closeAfter("ALREADY_UNDONE", "IMPORT_IN_USE"))}
    />
  );
}
