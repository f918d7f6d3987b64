import { Ban, Pencil } from "lucide-react";
import { useState } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import {
  adminKeyList,
  type KeyDetail,
  noteKey,
  ownKeyList,
  queriesOfKey,
  resellerIdOf,
  resellerKeyList,
} from "../../../api/calls/keys.ts";
import { statsQuery } from "../../../api/calls/overview.ts";
import { profileQuery } from "../../../api/calls/session.ts";
import { refresh } from "../../../api/query.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import { KeptFocus } from "../../../ui/focus.ts";
import { useCanShare } from "../../../ui/share-button.tsx";
import { isRevocable } from "../list/columns.tsx";
import { Share } from "../order/export-keys.tsx";

const Revocation = lazyDialog(() => import("../list/revocation.tsx"));
const NoteDialog = lazyDialog(() => import("../../../forms/note-dialog.tsx"));

/** What can be done with a key on its page. The devices have their own buttons. */
export function KeyActions({ area, of: key }: { area: Role; of: KeyDetail }) {
  const [open, setOpen] = useState<"note" | "revoke" | null>(null);
  const onOpenChange = (isOpen: boolean) => isOpen || setOpen(null);
  const resellerId = resellerIdOf(key);
  const list = listOf(area, resellerId);
  usePreload(Revocation.load);
  const shares = useCanShare();
  return (
    <div className="flex flex-wrap gap-2">
      {shares && <Share keys={[key]} />}
      {/* Only the reseller may change the note on a reseller's key. */}
      {resellerId === null && (
        <Button size="small" icon={<Pencil size={16} />} aria-haspopup="dialog" onClick={() => setOpen("note")}>
          Note
        </Button>
      )}
      {isRevocable(area, key) && (
        <Button
          size="small"
          variant="danger-quiet"
          icon={<Ban size={16} />}
          aria-haspopup="dialog"
          onClick={() => setOpen("revoke")}
        >
          Revoke
        </Button>
      )}
      <KeptFocus />
      <NoteDialog
        open={open === "note"}
        onOpenChange={onOpenChange}
        about="this key"
        note={key.note}
        save={(form) => noteKey(area, key.id, form)}
        onSaved={() => void refresh(...queriesOfKey(area, key.id), list)}
      />
      <Revocation
        open={open === "revoke"}
        onOpenChange={onOpenChange}
        scope={{ area, resellerId: resellerId ?? undefined }}
        revoked={key}
        list={list}
        changed={[area === "admin" ? statsQuery : profileQuery]}
      />
    </div>
  );
}

function listOf(area: Role, resellerId: number | null) {
  if (area === "reseller") return ownKeyList;
  return resellerId === null ? adminKeyList : resellerKeyList(String(resellerId));
}
