import { Ban, CalendarPlus, Pause as PauseIcon, Pencil, Play, Smartphone } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { resumeKey } from "../../../api/calls/key-time.ts";
import { type KeyDetail, keyListOf, queriesOfKey, resellerIdOf } from "../../../api/calls/keys.ts";
import { statsQuery } from "../../../api/calls/overview.ts";
import { profileQuery } from "../../../api/calls/session.ts";
import { refresh, useWork } from "../../../api/query.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { useHashCommand } from "../../../state/hash-command.ts";
import { Button } from "../../../ui/button.tsx";
import { lazyDialog, useDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import { KeptFocus } from "../../../ui/focus.ts";
import type { MenuItem } from "../../../ui/menu.tsx";
import { loadMenu, MenuButton } from "../../../ui/menu-button.tsx";
import { useCanShare } from "../../../ui/share-button.tsx";
import { isReplaceable, isRevocable, type KeyAction, replaceAction } from "../list/columns.tsx";
import { Share } from "../order/export-keys.tsx";

const KeyDialog = lazyDialog(() => import("../list/key-dialog.tsx"));
const loadParts = () => Promise.all([KeyDialog.load(), loadMenu()]);

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
  const { dialog, show } = useDialog<{ action: KeyAction }>();
  const open = (action: KeyAction) => show({ action });
  const resellerId = resellerIdOf(key) ?? undefined;
  const scope = { area, resellerId };
  const figures = area === "admin" ? statsQuery : profileQuery;
  const onChanged = () => void refresh(keyListOf(area, resellerId), ...queriesOfKey(area, key.id), figures);
  usePreload(loadParts);
  useHashCommand("extend", () => open("extend"), { need: "keys:order" });
  useHashCommand("revoke", () => open("revoke"), { need: "keys:manage" });
  useHashCommand("remove-device", () => document.querySelector<HTMLElement>("#devices button")?.focus());
  const shares = useCanShare();
  const pauseItems = usePauseItems(area, key, onChanged, () => open("pause"));
  const isRevoked = key.status === "REVOKED";
  return (
    <div className="flex flex-wrap gap-2">
      {shares && <Share keys={[key]} />}
      {!isRevoked && (
        <Button {...look} need="keys:order" icon={<CalendarPlus size={16} />} onClick={() => open("extend")}>
          Extend
        </Button>
      )}
      {/* Only the reseller may change the note on a reseller's key. */}
      {resellerId === undefined && (
        <Button {...look} icon={<Pencil size={16} />} onClick={() => open("note")}>
          Note
        </Button>
      )}
      {isRevocable(area, key) && (
        <Button {...look} variant="danger-quiet" icon={<Ban size={16} />} onClick={() => open("revoke")}>
          Revoke
        </Button>
      )}
      {!isRevoked && (
        <MenuButton
          about="This key"
          items={[
            { ...limitItem, onSelect: () => open("limit") },
            ...pauseItems,
            ...(isReplaceable(key) ? [{ ...replaceAction, onSelect: () => open("replace") }] : []),
          ]}
        />
      )}
      <KeptFocus />
      {dialog && <KeyDialog {...dialog} scope={scope} of={key} onChanged={onChanged} />}
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
