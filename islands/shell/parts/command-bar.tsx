import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { downloadExport } from "../../api/calls/imports.ts";
import { downloadSelected } from "../../api/calls/key-selection.ts";
import type { Findings } from "../../api/calls/overview.ts";
import { useDownload } from "../../api/use-download.tsx";
import { pluralText } from "../../format.ts";
import { useRights } from "../../runtime/rights.ts";
import { runHashCommand } from "../../state/hash-command.ts";
import { IconButton } from "../../ui/button.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { OverDialogs, scrimLook, spareOverDialogs, useSurface } from "../../ui/dialog/surface.ts";
import { isBarKey } from "../../ui/shortcuts.ts";
import { showToast } from "../../ui/toast/store.ts";
import {
  type BarGroup,
  type BarOption,
  type Command,
  commandGroups,
  fitting,
  type Runs,
  recentCommands,
  rememberCommand,
} from "./commands.ts";
import { useFindings } from "./findings.tsx";
import { commandsFor, commandsHere, spoken } from "./object-commands.ts";

interface CommandBarProps extends Openable {
  role: Role;
  onShortcuts: () => void;
}

/**
 * Finds pages, records by their text, and what can be done (rules.md: Command bar). In the upper part of a desktop, all
 * of a phone.
 */
export default function CommandBar({ role, open, onOpenChange, onShortcuts }: CommandBarProps) {
  const next = useRef<(() => void) | null>(null);
  const exportKeys = useExport(role);
  /**
   * An action on this page waits until the bar is gone and has given the focus back to where the action will take it
   * from.
   */
  const close = (then: (() => void) | null = null) => {
    next.current = then;
    onOpenChange(false);
  };
  const { sheet, content } = useSurface(open, close, () => next.current?.());
  function closeByKey(event: KeyboardEvent) {
    content.onKeyDown(event);
    if (!isBarKey(event)) return;
    event.preventDefault();
    close();
  }
  return (
    <Radix.Root open={open} onOpenChange={(wanted) => (wanted ? onOpenChange(true) : close())}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          {...content}
          onKeyDown={closeByKey}
          onInteractOutside={spareOverDialogs}
          aria-describedby={undefined}
          className={barLook}
        >
          <Radix.Title className="sr-only">Search</Radix.Title>
          {/* A separate component, so that typed text is dropped when the bar closes. */}
          <Bar role={role} close={close} runs={{ showShortcuts: onShortcuts, exportKeys }} />
          <OverDialogs dialog={sheet} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** All keys of the panel with their devices, or a reseller's own. */
function useExport(role: Role): () => void {
  const fetchFile = () => (role === "admin" ? downloadExport() : downloadSelected({ area: role }, {}, "csv"));
  const { mutate } = useDownload(fetchFile, "Keys exported successfully", { failed: "Failed to export the keys" });
  return () => {
    showToast({ title: "Exporting keys...", brief: true });
    mutate();
  };
}

const barLook = clsx(
  "fixed z-50 flex flex-col border-line bg-overlay outline-none lifted max-md:inset-0",
  "md:inset-x-0 md:top-[12vh] md:mx-auto md:max-h-[70vh] md:w-full md:max-w-2xl md:rounded-xl md:border",
  "data-[state=open]:animate-appear data-[state=closed]:animate-vanish",
);

interface BarProps {
  role: Role;
  close: (then?: () => void) => void;
  runs: Runs;
}

function Bar({ role, close, runs }: BarProps) {
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [highlighted, setHighlighted] = useState(0);
  const { verb, object } = spoken(typed);
  const found = useFindings(role, object);
  const own = commandGroups(role, runs);
  const commands = useCommands(role, typed, own);
  const acts = actsOn(found.data, role, verb, object);
  const { may, mayOpen } = useRights();
  const all = verb === "" ? [...commands, ...found.groups, ...acts] : [...acts, ...commands, ...found.groups];
  const isOpen = ({ need, href = "" }: BarOption) => may(need) && mayOpen(href);
  const groups = all
    .map((group) => ({ ...group, options: group.options.filter(isOpen) }))
    .filter(({ options }) => options.length > 0);
  const options = groups.flatMap((group) => group.options);
  const active = options[Math.min(highlighted, options.length - 1)];
  const placeholder = may("keys:read") ? placeholders[role] : "Search pages";
  const note = found.note ?? (options.length === 0 ? "Nothing found" : null);

  function choose(option: BarOption, event: MouseEvent) {
    if (own.some(({ options }) => options.includes(option as Command))) rememberCommand(role, option.id);
    if (option.run) close(option.run);
    else lead(event, close);
  }
  function moveByKey(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") {
      event.preventDefault();
      if (active) document.getElementById(optionId(listId, active))?.click();
    } else if (step !== 0 && options.length > 0) {
      event.preventDefault();
      setHighlighted((options.indexOf(active as BarOption) + step + options.length) % options.length);
    }
  }

  return (
    <>
      <div className="flex h-14 shrink-0 items-center gap-3 border-b border-line pr-2 pl-4">
        <Search size={18} className="shrink-0 text-muted" />
        <input
          type="text"
          role="combobox"
          aria-label={placeholder}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setHighlighted(0);
          }}
          onKeyDown={moveByKey}
          className="h-full min-w-0 grow bg-transparent text-lg text-ellipsis outline-none"
        />
        <Radix.Close asChild>
          <IconButton label="Close" icon={<X size={18} />} className="after:hidden!" />
        </Radix.Close>
      </div>
      <BarOptions id={listId} label={placeholder} groups={groups} active={active} choose={choose} />
      {note && <p className="px-4 py-3 text-muted">{note}</p>}
      <p role="status" className="sr-only">
        {note ?? (typed === "" ? "" : pluralText(options.length, "result"))}
      </p>
    </>
  );
}

const placeholders: Record<Role, string> = {
  admin: "Search pages, keys, resellers, tokens",
  reseller: "Search pages and keys",
};

/**
 * The bar's own commands, after what can be done on this page. Until something is typed the recent ones come next, in a
 * separate group.
 */
function useCommands(role: Role, typed: string, own: BarGroup<Command>[]): BarGroup<Command>[] {
  const client = useQueryClient();
  const [recent] = useState(() => recentCommands(role));
  const [here] = useState(() => commandsHere(role, client));
  const all = own.flatMap(({ options }) => options);
  const used = recent.flatMap((id) => all.find((command) => command.id === id) ?? []);
  const isNothingTyped = typed.trim() === "";
  const fit = ({ heading, options }: BarGroup<Command>) => ({
    heading,
    options: isNothingTyped ? options.filter((command) => !used.includes(command)) : fitting(options, typed, recent),
  });
  const groups = [...here.map(fit), { heading: "Recent", options: isNothingTyped ? used : [] }, ...own.map(fit)];
  return groups.filter(({ options }) => options.length > 0);
}

/** All that can be done with the only record that was found, or the records for what the text says. */
function actsOn(found: Findings | undefined, role: Role, verb: string, object: string): BarGroup[] {
  const groups = found ? commandsFor(role, found, object) : [];
  if (verb === "") return groups.length === 1 ? groups.filter(({ options }) => options.length > 0) : [];
  const acts = groups.flatMap(({ heading, options }) =>
    fitting(options, verb, []).map((command) => ({ ...command, act: command.label, label: heading })),
  );
  const headings = [...new Set(acts.map(({ act }) => act))];
  return headings.map((heading) => ({ heading, options: acts.filter(({ act }) => act === heading) }));
}

/** A link navigates by itself, also into a new tab; one to this very page waits until the bar is gone. */
function lead(event: MouseEvent, close: BarProps["close"]): void {
  const { hash, pathname } = event.currentTarget as HTMLAnchorElement;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || pathname !== window.location.pathname;
  if (isElsewhere || hash === "") return;
  event.preventDefault();
  close(() => runHashCommand(hash));
}

interface BarOptionsProps {
  id: string;
  label: string;
  groups: BarGroup[];
  active: BarOption | undefined;
  choose: (option: BarOption, event: MouseEvent) => void;
}

/** The list of the combobox: the focus stays in the field, which handles the keys. */
function BarOptions({ id, label, groups, active, choose }: BarOptionsProps) {
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: "nearest" });
  }, [activeId]);
  return (
    <div role="listbox" id={id} aria-label={label} tabIndex={-1} className="min-h-0 overflow-y-auto overscroll-contain">
      {groups.map(({ heading, options }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset.
        <div key={heading} role="group" aria-labelledby={`${id}-${index}`} className="p-1">
          <p id={`${id}-${index}`} className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
            {heading}
          </p>
          {options.map((option) => (
            <a
              key={option.id}
              role="option"
              id={optionId(id, option)}
              href={option.href}
              tabIndex={-1}
              aria-selected={option === active}
              data-active={option === active || undefined}
              onClick={(event) => choose(option, event)}
              className={optionLook}
            >
              {/* The narrowest phones need its space for the last characters of a key. */}
              <span aria-hidden className="shrink-0 text-muted max-[22.5rem]:hidden">
                <option.icon size={18} />
              </span>
              <span className="min-w-0 grow">
                <span className="block truncate">{option.label}</span>
                {option.reason && (
                  <span title={option.reason} className="block truncate text-xs text-muted">
                    {option.reason}
                  </span>
                )}
              </span>
              {option.detail && (
                <span className="flex shrink-0 items-center gap-2 text-sm text-muted">{option.detail}</span>
              )}
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}

const optionLook = clsx(
  "flex min-h-(--hit) cursor-pointer select-none items-center gap-3 rounded-md px-2.5 py-1",
  "hover:bg-hover data-active:bg-hover",
);

function optionId(listId: string, { id }: BarOption): string {
  return `${listId}-${encodeURIComponent(id)}`;
}
