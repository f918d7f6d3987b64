import { pauseDaysMax } from "../../../../src/keys/limits.ts";
import { pauseKey } from "../../../api/calls/key-time.ts";
import type { KeyDetail } from "../../../api/calls/keys.ts";
import { Confirmation } from "../../../forms/confirmation.tsx";
import type { KeyChangeProps } from "../list/extension.tsx";

/** Asks before a key is paused: its players are refused at once. */
export default function Pause({ area, of: key, onChanged, ...dialog }: KeyChangeProps<Pick<KeyDetail, "id">>) {
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
