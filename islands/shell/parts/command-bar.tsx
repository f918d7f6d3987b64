import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { pluralText } from "../../format.ts";
import { useBackCloses } from "../../runtime/back-closes.ts";
import { askPageFor } from "../../state/asked-for.ts";
import { IconButton } from "../../ui/button.tsx";
import { escapeCloses } from "../../ui/dialog/escape.ts";
import { useFocusReturn } from "../../ui/dialog/focus-return.ts";
import { OverDialogs, spareOverDialogs } from "../../ui/dialog/over-dialogs.ts";
import { scrimLook } from "../../ui/dialog/surface.ts";
import { isBarKey } from "../../ui/shortcuts.ts";
import { type BarGroup, type BarOption, BarOptions, optionId } from "./bar-options.tsx";
import { type Command, commandGroups, fitting } from "./commands.ts";
import { useFindings } from "./findings.tsx";
import { recentCommands, rememberCommand } from "./recent-commands.ts";

interface CommandBarProps {
  role: Role;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onShortcuts: () => void;
}

/** Pages, actions, and anything by its text (rules.md: Command bar). In the upper part of a desktop, all of a phone. */
export default function CommandBar({ role, open, onOpenChange, onShortcuts }: CommandBarProps) {
  const content = useRef<HTMLDivElement>(null);
  const focusReturn = useFocusReturn();
  const next = useRef<(() => void) | null>(null);
  /** What is done on this page waits until the bar is gone, and has given the focus back to where what follows will take it from. */
  const close = (then: (() => void) | null = null) => {
    next.current = then;
    onOpenChange(false);
  };
  useBackCloses(open, close);
  const byEscape = escapeCloses(content, close);
  function closeByKey(event: KeyboardEvent) {
    byEscape.onKeyDown(event);
    if (!isBarKey(event)) return;
    event.preventDefault();
    close();
  }
  return (
    <Radix.Root open={open} onOpenChange={(wanted) => (wanted ? onOpenChange(true) : close())}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          ref={content}
          inert={!open}
          {...focusReturn}
          onCloseAutoFocus={(event) => {
            focusReturn.onCloseAutoFocus(event);
            next.current?.();
          }}
          {...byEscape}
          onKeyDown={closeByKey}
          onInteractOutside={spareOverDialogs}
          aria-describedby={undefined}
          className={barLook}
        >
          <Radix.Title className="sr-only">Search</Radix.Title>
          {/* Its own component, so that what was typed is forgotten when the bar closes. */}
          <Bar role={role} close={close} onShortcuts={onShortcuts} />
          <OverDialogs dialog={content} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const barLook = clsx(
  "fixed z-50 flex flex-col border-line bg-overlay outline-none lifted max-md:inset-0",
  "md:inset-x-0 md:top-[12vh] md:mx-auto md:max-h-[70vh] md:w-full md:max-w-2xl md:rounded-xl md:border",
  "data-[state=open]:animate-appear data-[state=closed]:animate-vanish",
);

interface BarProps {
  role: Role;
  close: (then?: () => void) => void;
  onShortcuts: () => void;
}

function Bar({ role, close, onShortcuts }: BarProps) {
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [highlighted, setHighlighted] = useState(0);
  const found = useFindings(role, typed);
  const groups = [...useCommands(role, typed, close, onShortcuts), ...found.groups.map(withChoice)];
  const options = groups.flatMap((group) => group.options);
  const active = options[Math.min(highlighted, options.length - 1)];
  const note = found.note ?? (options.length === 0 ? "Nothing found" : null);

  function withChoice({ heading, options: plain }: (typeof found.groups)[number]): BarGroup {
    return { heading, options: plain.map((option) => ({ ...option, choose: (event) => lead(event, close) })) };
  }
  function moveByKey(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
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
        <Search aria-hidden size={18} className="shrink-0 text-muted" />
        <input
          type="text"
          role="combobox"
          aria-label={placeholders[role]}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && optionId(listId, active)}
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={placeholders[role]}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setHighlighted(0);
          }}
          onKeyDown={moveByKey}
          className="h-full min-w-0 grow bg-transparent text-lg text-ellipsis outline-none"
        />
        <Radix.Close asChild>
          <IconButton label="Close" icon={<X aria-hidden size={18} />} className="after:hidden!" />
        </Radix.Close>
      </div>
      <BarOptions id={listId} label={placeholders[role]} groups={groups} active={active} />
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

/** What the bar offers by itself: while nothing is typed the recent ones first, in a group of their own. */
function useCommands(role: Role, typed: string, close: BarProps["close"], onShortcuts: () => void): BarGroup[] {
  const [recent] = useState(() => recentCommands(role));
  const groups = commandGroups(role, onShortcuts);
  const all = groups.flatMap(({ commands }) => commands);
  const used = recent.flatMap((id) => all.find((command) => command.id === id) ?? []);
  const offered =
    typed.trim() === ""
      ? [
          { heading: "Recent", commands: used },
          ...groups.map(({ heading, commands }) => ({
            heading,
            commands: commands.filter((command) => !used.includes(command)),
          })),
        ]
      : groups.map(({ heading, commands }) => ({ heading, commands: fitting(commands, typed, recent) }));
  return offered
    .filter(({ commands }) => commands.length > 0)
    .map(({ heading, commands }) => ({ heading, options: commands.map(optionOf) }));

  function optionOf({ id, label, icon: Icon, href, act }: Command): BarOption {
    return {
      id,
      label,
      href,
      icon: <Icon size={18} />,
      choose: (event) => {
        rememberCommand(role, id);
        if (act) close(act);
        else lead(event, close);
      },
    };
  }
}

/** A link leads by itself, also into a new tab; what it asks this very page for waits until the bar is gone. */
function lead(event: MouseEvent, close: BarProps["close"]): void {
  const { hash, pathname } = event.currentTarget as HTMLAnchorElement;
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || pathname !== window.location.pathname;
  if (isElsewhere || hash === "") return;
  event.preventDefault();
  close(() => askPageFor(hash));
}
