import type { ComponentType } from "react";
import { pauseDaysMax } from "../../../../src/keys/limits.ts";
import { pauseKey } from "../../../api/calls/key-time.ts";
import { noteKey, removeAllDevices } from "../../../api/calls/keys.ts";
import { pluralText } from "../../../format.ts";
import { Confirmation } from "../../../forms/confirmation.tsx";
import NoteDialog from "../../../forms/note-dialog.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import type { KeyAction } from "./columns.tsx";
import DeviceLimit from "./device-limit.tsx";
import Extension, { type KeyChangeProps } from "./extension.tsx";
import Replacement from "./replacement.tsx";
import Revocation from "./revocation.tsx";

const dialogs: Record<KeyAction, ComponentType<KeyChangeProps>> = {
  extend: Extension,
  limit: DeviceLimit,
  note: Note,
  pause: Pause,
  removeAll: Removal,
  replace: Replacement,
  revoke: Revocation,
};

/** The dialogs that change a key. One at a time: each is modal. */
export default function KeyDialog({ action, ...props }: KeyChangeProps & { action: KeyAction }) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}

function Note({ scope: { area }, of: key, onChanged, ...dialog }: KeyChangeProps) {
  return (
    <NoteDialog
      {...dialog}
      about="this key"
      note={key.note}
      save={(form) => noteKey(area, key.id, form)}
      onSaved={onChanged}
    />
  );
}

/** Asks before a key is paused: its players are refused at once. */
function Pause({ scope: { area }, of: key, onChanged, ...dialog }: KeyChangeProps) {
  return (
    <Confirmation
      {...dialog}
      title="Pause Key"
      text={
        <>
          Every device is refused until the key is resumed. It then gets back exactly the time that it was paused.
          <span className="mt-2 block">
            {area === "reseller"
              ? `A key can be paused for ${pauseDaysMax} days in total; after that it resumes by itself.`
              : "Only admins can resume it."}
          </span>
        </>
      }
      busyLabel="Pausing..."
      variant="primary"
      mutationFn={() => pauseKey(area, key.id)}
      done="The key is paused"
      failed="Failed to pause key"
      onSettled={onChanged}
    />
  );
}

function Removal({ scope: { area }, of: key, onChanged, ...dialog }: KeyChangeProps) {
  return (
    <Confirmation
      {...dialog}
      title="Remove All Devices"
      text={
        <>
          Every device is removed from <Verbatim className="break-all text-text">{key.keyString}</Verbatim>. Players
          reconnect when they next start the app, first come, first served.
        </>
      }
      busyLabel="Removing..."
      mutationFn={() => removeAllDevices(area, key.id)}
      done={({ removed }) => `${pluralText(removed, "device")} removed`}
      failed="Failed to remove the devices"
      onSettled={onChanged}
    />
  );
}
