import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { searchCharactersMax } from "../../../src/http/limits.ts";
import { IconButton } from "../button.tsx";
import { isLoneKey } from "../shortcuts.ts";
import { useTypedValue } from "./day-filter.tsx";

/** The pause in typing after which the search is sent. */
export const searchDebounceMs = 250;

interface SearchBoxProps {
  label: string;
  placeholder?: string;
  value: string;
  /** Called after a pause in typing, and at once on Enter and on clearing. */
  onSearch: (text: string) => void;
  className?: string;
}

/** `/` anywhere on the page focuses it, Esc clears it. */
export function SearchBox({ label, placeholder = label, value, onSearch, className }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const { typed, type, settle } = useRestedText(value, onSearch);
  useSlashKey(input);

  return (
    <div className={clsx("relative", className)}>
      <Search size={16} className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        autoComplete="off"
        maxLength={searchCharactersMax}
        spellCheck={false}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") settle(typed);
          if (event.key === "Escape" && typed !== "") settle("");
        }}
        className="peer control pr-10 pl-9 text-ellipsis pointer-coarse:placeholder-shown:pr-3 [&::-webkit-search-cancel-button]:hidden"
      />
      {typed === "" ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto h-5 rounded-sm border border-line px-1.5 font-mono text-xs leading-4.5 text-muted peer-focus:hidden pointer-coarse:hidden"
        >
          /
        </kbd>
      ) : (
        <IconButton
          label="Clear search"
          icon={<X size={16} />}
          size="small"
          className="absolute! inset-y-0 right-0.5 my-auto [--tip-end:0px] [--tip-shift:0]"
          onClick={() => {
            settle("");
            input.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** The text after a pause in typing; an emptied field need not wait. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), text === "" ? 0 : searchDebounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/**
 * The text as it is typed, reported after a pause; a value from outside (Clear Filters, the back button) replaces it.
 */
function useRestedText(value: string, onRest: (text: string) => void) {
  const [typed, setTyped] = useTypedValue(value);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value ends the wait for the typed one.
  useEffect(() => () => clearTimeout(rest.current), [value]);

  function settle(text: string) {
    clearTimeout(rest.current);
    setTyped(text);
    if (text !== value) onRest(text);
  }
  function type(text: string) {
    setTyped(text);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => settle(text), searchDebounceMs);
  }
  return { typed, type, settle };
}

function useSlashKey(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    function focusBySlash(event: KeyboardEvent) {
      if (!isLoneKey(event, "/")) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    }
    document.addEventListener("keydown", focusBySlash);
    return () => document.removeEventListener("keydown", focusBySlash);
  }, [input]);
}
