import type { ApiKey } from "../../../src/accounts/api-keys/api-key-schema.ts";
import type { Role } from "../../../src/accounts/schema.ts";
import { apiKeyCalls } from "../../api/calls/account.ts";
import { refresh } from "../../api/query.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

interface DeleteApiKeyProps extends Openable {
  area: Role;
  apiKey: ApiKey;
}

export default function DeleteApiKey({ area, apiKey, ...dialog }: DeleteApiKeyProps) {
  const { query, remove } = apiKeyCalls[area];
  return (
    <Confirmation
      {...dialog}
      title="Delete API Key"
      text={
        <>
          Programs that use <strong className="font-medium wrap-anywhere text-text">{apiKey.name}</strong> are refused
          at once. This cannot be undone.
        </>
      }
      confirmLabel="Delete API Key"
      busyLabel="Deleting..."
      mutationFn={() => remove(apiKey.id)}
      done={({ message }) => message}
      failed="Failed to delete API key"
      // After a refusal too: it may have been deleted elsewhere.
      onSettled={() => refresh(query)}
      closesAfter={["NOT_FOUND"]}
    />
  );
}
