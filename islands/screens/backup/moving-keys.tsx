import { ArrowLeftRight, Download, Upload } from "lucide-react";
import { downloadExport } from "../../api/calls/imports.ts";
import { useDownload } from "../../api/use-download.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";

/** Keys from another panel, and all keys for another one. */
export function MovingKeys() {
  const { mutate, isPending } = useDownload(downloadExport, "Keys exported successfully", {
    failed: "Failed to export the keys",
  });
  return (
    <Card className="mb-4">
      <CardHeading
        icon={<ArrowLeftRight size={20} />}
        title="Import and Export"
        description={
          <span className="block max-w-lg">
            Bring keys from another panel, or take all of yours with you: one CSV file with their devices.
          </span>
        }
        actions={
          <div className="flex gap-2 max-md:w-full max-md:*:grow">
            <LinkButton href="/admin/import" icon={<Upload size={16} />}>
              Import Keys
            </LinkButton>
            <Button icon={<Download size={16} />} busy={isPending} busyText="Exporting..." onClick={() => mutate()}>
              Export Keys
            </Button>
          </div>
        }
      />
    </Card>
  );
}
