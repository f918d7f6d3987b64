import { Download } from "lucide-react";
import { downloadCollection } from "../../api/calls/backup.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { useWork } from "../../api/work.ts";
import { saveAs } from "../../ui/download.ts";
import { RowAction, RowActions } from "../../ui/table/row-action.tsx";
import { showToast } from "../../ui/toast/store.ts";

/** Each row has its own, so that several collections can be on their way at once. */
export function DownloadCollection({ name }: { name: string }) {
  const { mutate, isPending } = useWork({
    mutationFn: () => downloadCollection(name),
    onSuccess: ({ filename, blob }) => {
      saveAs(filename, blob);
      showToast({ title: "Success", description: `${name} downloaded successfully` });
    },
    onError: (error) => sayFailure(error, "Failed to download file"),
  });
  return (
    <RowActions>
      <RowAction
        label="Download"
        aria-label={`Download ${name}`}
        icon={<Download aria-hidden size={16} />}
        // The longest of all names is alone in its row.
        className="list-named:max-w-none!"
        busy={isPending}
        onClick={() => mutate()}
      />
    </RowActions>
  );
}
