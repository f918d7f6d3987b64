import type { Role } from "../../../../src/accounts/schema.ts";
import { noteCharactersMax } from "../../../../src/core/field.ts";
import { BlockForm } from "../../../../src/keys/blocks/block-schema.ts";
import { blockCalls } from "../../../api/calls/keys.ts";
import { refresh, useWork } from "../../../api/query.ts";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { asTyped, TextField } from "../../../ui/field/field.tsx";

const suggestions = ["Key shared", "Chargeback", "Cheating"];

/** Blocks a device, whose id is typed if it is "". */
export default function BlockDevice(props: Openable & { area: Role; deviceId: string; onBlocked?: () => void }) {
  const { area, deviceId, onBlocked, ...dialog } = props;
  const { list, block } = blockCalls(area);
  const work = useWork({
    mutationFn: block,
    done: "Device blocked",
    failed: "Failed to block device",
    shownAtFields: ["INVALID"],
    onSettled: () => void refresh(list).then(onBlocked),
  });
  const device = deviceId === "" ? { ...asTyped, "data-autofocus": true } : { readOnly: true };
  return (
    <FormDialog
      {...dialog}
      title="Block Device"
      description={`It is removed from ${area === "admin" ? "every key, also of resellers" : "all your keys"}, and cannot connect until you unblock it.`}
      work={work}
      submit="Block Device"
      busyText="Blocking..."
      variant="danger"
      form={{ schema: BlockForm, initial: { deviceId } }}
    >
      {({ field, fill }) => (
        <>
          <TextField {...field("deviceId")} label="Device ID" {...device} />
          <TextField {...field("reason")} label="Reason" maxLength={noteCharactersMax} data-autofocus />
          <div className="flex flex-wrap gap-2">
            {suggestions.map((reason) => (
              <Button key={reason} size="small" onClick={() => fill("reason", reason)}>
                {reason}
              </Button>
            ))}
          </div>
        </>
      )}
    </FormDialog>
  );
}
