import { ApiFailure } from "../../../api/api.ts";
import { sayFailure } from "../../../api/failure-toast.ts";
import type { List } from "../../../api/list.ts";
import { putRow } from "../../../api/paged-rows.ts";
import { refresh } from "../../../api/query.ts";
import { useWork } from "../../../api/work.ts";
import { Confirm } from "../../../ui/dialog/confirm.tsx";
import { showToast, type ToastMessage } from "../../../ui/toast/store.ts";

interface ListedKey {
  id: number;
  keyString: string;
}

interface RevocationWords {
  title: string;
  question: string;
  doneToast: ToastMessage;
}

const licenseKeyWords: RevocationWords = {
  title: "Revoke License Key",
  question:
    "Are you sure you want to revoke this key? This action cannot be undone. Users will no longer be able to use this license key after revocation.",
  doneToast: { title: "Key Revoked", description: "The key has been successfully revoked" },
};

interface RevocationProps<Key extends ListedKey> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  revoked: Key;
  /** Those of the Revoke dialog unless told (rules.md: Revoke dialog). */
  words?: RevocationWords;
  /** The call, which answers the key as it is from now on. */
  revoke: (id: number) => Promise<{ key: Key }>;
  /** The list that the key stands in. */
  list: List<Key, never>;
  /** What else the revocation changes. */
  changed: Parameters<typeof refresh>;
}

/** Asks before a key is revoked, says which one it is about, and shows its row as the server left it. */
export function Revocation<Key extends ListedKey>(props: RevocationProps<Key>) {
  const { open, onOpenChange, revoked, words = licenseKeyWords, revoke, list, changed } = props;
  const { mutateAsync } = useWork({
    mutationFn: () => revoke(revoked.id),
    onSuccess: ({ key }) => {
      putRow(list, key);
      showToast(words.doneToast);
    },
    onError: (error) => sayFailure(error, "Failed to revoke key"),
    // After a refusal too: the key may have expired, or somebody else may have revoked it meanwhile.
    onSettled: () => void refresh(list, ...changed),
  });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      text={
        <>
          <span className="block">{words.question}</span>
          <span className="key-text mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {revoked.keyString}
          </span>
        </>
      }
      confirmLabel="Revoke Key"
      busyLabel="Revoking..."
      onConfirm={() => mutateAsync().catch(closeWhenDone)}
    />
  );
}

/** Somebody else was quicker: there is nothing left to ask, and the toast has said so. */
function closeWhenDone(error: unknown): void {
  if (!(error instanceof ApiFailure && error.code === "KEY_ALREADY_REVOKED")) throw error;
}
