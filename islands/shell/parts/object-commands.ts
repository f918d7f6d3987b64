import type { QueryClient } from "@tanstack/react-query";
import { Ban, CalendarPlus, CirclePlus, ListChecks, type LucideIcon, ShieldBan, Smartphone } from "lucide-react";
import type { Role } from "../../../src/accounts/schema.ts";
import { foldedText } from "../../../src/core/text.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { type KeyDetail, keyQuery } from "../../api/calls/keys.ts";
import type { Findings } from "../../api/calls/overview.ts";
import { resellerQuery } from "../../api/calls/resellers.ts";
import type { Needs } from "../../runtime/rights.ts";
import { deviceCountOf, isRevocable, type Key } from "../../screens/keys/list/columns.tsx";
import type { BarGroup, Command } from "./commands.ts";

/** What can be done with the selected rows and with the key or reseller of the page. */
export function commandsHere(role: Role, client: QueryClient): BarGroup<Command>[] {
  const [, keyId, resellerId] = /^\/\w+\/(?:keys\/(\d+)|resellers\/(\d+))/.exec(window.location.pathname) ?? [];
  const key = keyId && client.getQueryData<KeyDetail>(keyQuery(role, keyId).queryKey);
  const reseller = resellerId && client.getQueryData<Reseller>(resellerQuery(resellerId).queryKey);
  const selected = { heading: "Selected keys", options: selectionCommands() };
  return [selected, ...(key ? [keyCommands(role, key)] : []), ...(reseller ? [resellerCommands(reseller)] : [])];
}

/** The buttons of the bar of the selection. */
function selectionCommands(): Command[] {
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-selection-bar] [data-action]")];
  return buttons.map((button) => {
    const label = button.textContent;
    return { id: `selected-${label}`, label, icon: ListChecks, words: otherWords[label], run: () => button.click() };
  });
}

const otherWords: Record<string, string> = { CSV: "export download", Revoke: "refund" };

/** What can be done with each record that was found. */
export function commandsFor(role: Role, { keys, resellers }: Findings, text: string): BarGroup<Command>[] {
  const ofKeys = keys.map((key) => keyCommands(role, key, key.foundBy === "device" ? text.trim() : ""));
  return [...ofKeys, ...resellers.map((reseller) => resellerCommands(reseller))];
}

/** Their links open the dialogs of the page. `device` is a part of the id of a device that was found. */
function keyCommands(role: Role, key: Key | KeyDetail, device = ""): BarGroup<Command> {
  const { id, keyString, status } = key;
  const options: Command[] = [];
  const offer = (hash: string, label: string, icon: LucideIcon, words: string, need: Needs = "keys:manage") => {
    const href = `/${role}/keys/${id}#${hash}`;
    options.push({ id: href, href, label, icon, words: `${words} ${keyString}`, need });
  };
  if (status !== "REVOKED") offer("extend", "Extend", CalendarPlus, "renew", "keys:order");
  if (isRevocable(role, key)) offer("revoke", "Revoke", Ban, "refund");
  if (status === "ACTIVE" && deviceCountOf(key) > 0) offer("remove-device", "Remove Devices", Smartphone, "reset");
  const blocking = `block-device=${encodeURIComponent(device)}`;
  if (deviceCountOf(key) > 0) offer(blocking, "Block a Device", ShieldBan, "ban");
  return { heading: keyString, options };
}

function resellerCommands({ id, username, isActive }: Reseller): BarGroup<Command> {
  const [credit, suspend] = [`/admin/resellers/${id}#credit`, `/admin/resellers/${id}#suspend`];
  const need = "resellers:manage";
  const options: Command[] = [
    { id: credit, href: credit, label: "Add Credit", icon: CirclePlus, words: `credits ${username}`, need },
    { id: suspend, href: suspend, label: "Suspend", icon: Ban, words: username, need },
  ];
  return { heading: username, options: isActive ? options : options.slice(0, 1) };
}

/** The words of the commands above. */
const verbs = "extend renew revoke refund remove reset block ban devices add credits suspend".split(" ");
const verbCharactersMin = 3;

/** Splits `revoke 9vjw5` into what is to be done and what is to be found. Without both, everything is to be found. */
export function spoken(typed: string): { verb: string; object: string } {
  const words = typed.trim().split(/\s+/);
  const isVerb = (word: string) =>
    word.length >= verbCharactersMin && verbs.some((verb) => verb.startsWith(foldedText(word)));
  const verbCount = words.findIndex((word) => !isVerb(word));
  if (verbCount < 1) return { verb: "", object: typed };
  return { verb: words.slice(0, verbCount).join(" "), object: words.slice(verbCount).join(" ") };
}
