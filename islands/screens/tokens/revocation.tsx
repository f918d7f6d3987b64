import type { Token } from "../../../src/tokens/schema.ts";
import { ApiFailure } from "../../api/api.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { revokeToken, tokenList } from "../../api/calls/tokens.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";

export default function TokenRevocation({ token: { id, token }, ...dialog }: Openable & { token: Token }) {
  const { mutateAsync } = useWork({
    mutationFn: () => revokeToken(id),
    done: ({ message }) => message,
    failed: "Failed to revoke token",
    // Waited for, so that the row is gone when the question is; after a refusal too, as it may be used by now.
    onSettled: () => refresh(tokenList, statsQuery),
  });
  return (
    <Confirm
      {...dialog}
      title="Revoke Token"
      text={
        <>
          <span className="block">
            Nobody can register with this token any more, and its invitation leads nowhere. This cannot be undone.
          </span>
          <span className="key-text mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {token}
          </span>
        </>
      }
      confirmLabel="Revoke Token"
      busyLabel="Revoking..."
      onConfirm={() => mutateAsync().catch(closeWhenSettled)}
    />
  );
}

/** Somebody registered with it, or took it back, in the meantime: there is nothing left to ask, and the toast has said so. */
function closeWhenSettled(error: unknown): void {
  if (!(error instanceof ApiFailure && ["TOKEN_USED", "NOT_FOUND"].includes(error.code ?? ""))) throw error;
}
