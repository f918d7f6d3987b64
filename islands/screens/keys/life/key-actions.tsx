import { Ban, CalendarPlus, Pause as PauseIcon, Pencil, Play, Smartphone } from "lucide-react";
import { useState } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { resumeKey } from "../../../api/calls/key-time.ts";
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
import { refresh, useWork } from "../../../api/query.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { useHashCommand } from "../../../state/hash-command.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import { KeptFocus } from "../../../ui/focus.ts";
import type { MenuItem } from "../../../ui/menu.tsx";
import { loadMenu, MenuButton } from "../../../ui/menu-button.tsx";
import { useCanShare } from "../../../ui/share-button.tsx";
import { isReplaceable, isRevocable, replaceAction } from "../list/columns.tsx";
import { Share } from "../order/export-keys.tsx";

const Revocation = lazyDialog(() => import("../list/revocation.tsx"));
const NoteDialog = lazyDialog(() => import("../../../forms/note-dialog.tsx"));
const Extension = lazyDialog(() => import("../list/extension.tsx"));
const DeviceLimit = lazyDialog(() => import("./device-limit.tsx"));
const Pause = lazyDialog(() => import("./pause.tsx"));
const Replacement = lazyDialog(() => import("../list/replacement.tsx"));

const loadParts = () => Promise.all([Revocation.load(), Extension.load(), loadMenu()]);

/** On a phone the buttons fit one line without their icons. */
const look = {
  size: "small",
  className: "max-md:[&_svg]:hidden",
  "aria-haspopup": "dialog",
  need: "keys:manage",
} as const;

const limitItem = { label: "Change device limit", icon: <Smartphone size={16} />, need: "keys:order" } as const;

/** What can be done with a key on its page. The devices have their own buttons. */
export function KeyActions({ area, of: key }: { area: Role; of: KeyDetail }) {
  const [open, setOpen] = useState<"note" | "extend" | "limit" | "pause" | "replace" | "revoke" | null>(null);
  const resellerId = resellerIdOf(key);
  const list = listOf(area, resellerId);
  const figures = area === "admin" ? statsQuery : profileQuery;
  const onChanged = () => void refresh(list, ...queriesOfKey(area, key.id), figures);
  const shows = (name: typeof open) => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? name : null),
  });
  const change = { area, of: key, onChanged };
  usePreload(loadParts);
  useHashCommand("extend", () => setOpen("extend"), { need: "keys:order" });
  useHashCommand("revoke", () => setOpen("revoke"), { need: "keys:manage" });
  useHashCommand("remove-device", () => document.querySelector<HTMLElement>("#devices button")?.focus());
  const shares = useCanShare();
  const pauseItems = usePauseItems(area, key, onChanged, () => setOpen("pause"));
  const isRevoked = key.status === "REVOKED";
  return (
    <div className="flex flex-wrap gap-2">
      {shares && <Share keys={[key]} />}
      {!isRevoked && (
        <Button {...look} need="keys:order" icon={<CalendarPlus size={16} />} onClick={() => setOpen("extend")}>
          Extend
        </Button>
      )}
      {/* Only the reseller may change the note on a reseller's key. */}
      {resellerId === null && (
        <Button {...look} icon={<Pencil size={16} />} onClick={() => setOpen("note")}>
          Note
        </Button>
      )}
      {isRevocable(area, key) && (
        <Button {...look} variant="danger-quiet" icon={<Ban size={16} />} onClick={() => setOpen("revoke")}>
          Revoke
        </Button>
      )}
      {!isRevoked && (
        <MenuButton
          about="This key"
          items={[
            { ...limitItem, onSelect: () => setOpen("limit") },
            ...pauseItems,
            ...(isReplaceable(key) ? [{ ...replaceAction, onSelect: () => setOpen("replace") }] : []),
          ]}
        />
      )}
      <KeptFocus />
      <NoteDialog
        {...shows("note")}
        about="this key"
        note={key.note}
        save={(form) => noteKey(area, key.id, form)}
        onSaved={() => void refresh(...queriesOfKey(area, key.id), list)}
      />
      <Extension {...shows("extend")} {...change} />
      <DeviceLimit {...shows("limit")} {...change} />
      <Pause {...shows("pause")} {...change} />
      <Replacement {...shows("replace")} {...change} />
      <Revocation
        {...shows("revoke")}
        scope={{ area, resellerId: resellerId ?? undefined }}
        revoked={key}
        list={list}
        changed={[figures]}
      />
    </div>
  );
}

/** A pause of an admin is only for admins to end, and they can make a reseller's pause theirs. */
function usePauseItems(area: Role, key: KeyDetail, onChanged: () => void, pause: () => void): MenuItem[] {
  const resumption = useWork({
    mutationFn: () => resumeKey(area, key.id),
    done: "The key is active",
    failed: "Failed to resume key",
    onSettled: onChanged,
  });
  const { need } = look;
  const pauseItem = (label: string) => ({ label, icon: <PauseIcon size={16} />, onSelect: pause, need });
  if (key.status === "ACTIVE") return [pauseItem("Pause")];
  if (key.status !== "PAUSED") return [];
  const resume = { label: "Resume", icon: <Play size={16} />, onSelect: () => resumption.mutate(), need };
  if (area === "admin") return key.pausedBy === "reseller" ? [resume, pauseItem("Pause as admin")] : [resume];
  return key.pausedBy === "admin" ? [] : [resume];
}

function listOf(area: Role, resellerId: number | null) {
  if (area === "reseller") return ownKeyList;
  return resellerId === null ? adminKeyList : resellerKeyList(String(resellerId));
}
