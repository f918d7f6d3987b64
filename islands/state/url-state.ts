import { useCallback, useMemo, useSyncExternalStore } from "react";
import { searchCharactersMax } from "../../src/http/limits.ts";
// Must handle a step back first, which closes a sheet and keeps the address.
import "../runtime/back-closes.ts";

/** Every value is a string, as in the address; defaults are left out there. */
export type UrlValues = Record<string, string>;

/** The valid values of each name that does not accept any text. */
export type UrlChoices<Values extends UrlValues> = {
  readonly [Name in keyof Values as string extends Values[Name] ? never : Name]: readonly Values[Name][];
};

export interface UrlState<Values extends UrlValues> {
  values: Values;
  /** Writes to the address without a new step in the history. Invalid values are ignored when it is read again. */
  change: (changed: Changed<Values>) => void;
  /** Sets every filter back; the order of the list stays. */
  clear: () => void;
  /** Whether any filter is set: it decides between 'nothing here' and 'nothing matches'. */
  narrowed: boolean;
}

type Changed<Values extends UrlValues> = { [Name in keyof Values]?: string };
type ChoicesOf<Values extends UrlValues> =
  Partial<UrlChoices<Values>> extends UrlChoices<Values> ? [UrlChoices<Values>?] : [UrlChoices<Values>];

/** Sorting hides no rows. */
const orderingNames = new Set(["sort", "descending"]);

const listeners = new Set<() => void>();

/**
 * The filters of a list, kept in the address, so that back, reload and a copied link show the same view. `defaults` and
 * `choices` must be module constants. The server passes the query string of the request, and the browser hydrates with
 * the same one.
 */
export function useUrlState<Values extends UrlValues>(
  defaults: Values,
  serverSearch = "",
  ...[choices]: ChoicesOf<Values>
): UrlState<Values> {
  const search = useSyncExternalStore(subscribe, searchNow, () => serverSearch);
  const values = useMemo(
    () => valuesIn(search, defaults, ...([choices] as ChoicesOf<Values>)),
    [search, defaults, choices],
  );
  const change = useCallback(
    (changed: Changed<Values>) => replaceSearch(searchWith(searchNow(), changed, defaults)),
    [defaults],
  );
  const clear = useCallback(() => change(filtersOf(defaults)), [change, defaults]);
  return { values, change, clear, narrowed: isNarrowed(values, defaults) };
}

/**
 * The values in the address, for the names in `defaults` only. Old or hand-written addresses are possible: an invalid
 * choice becomes the default, and text is cut to the length that the server searches for.
 */
export function valuesIn<Values extends UrlValues>(
  search: string,
  defaults: Values,
  ...[choices]: ChoicesOf<Values>
): Values {
  const given = new URLSearchParams(search);
  const choicesOf = new Map<string, readonly string[]>(Object.entries(choices ?? {}));
  const entries = Object.entries(defaults).map(([name, value]) => {
    const text = given.get(name)?.slice(0, searchCharactersMax) ?? value;
    return [name, choicesOf.get(name)?.includes(text) === false ? value : text];
  });
  return Object.fromEntries(entries) as Values;
}

/** Returns the query string after a change; unknown names stay as they are. */
export function searchWith<Values extends UrlValues>(
  search: string,
  changed: Changed<Values>,
  defaults: Values,
): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === defaults[name]) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === "" ? "" : `?${text}`;
}

export function isNarrowed<Values extends UrlValues>(values: Values, defaults: Values): boolean {
  return Object.keys(filtersOf(defaults)).some((name) => values[name] !== defaults[name]);
}

function filtersOf<Values extends UrlValues>(defaults: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !orderingNames.has(name))) as Partial<Values>;
}

function searchNow(): string {
  return window.location.search;
}

function replaceSearch(search: string): void {
  if (search === searchNow()) return;
  window.history.replaceState(window.history.state, "", `${window.location.pathname}${search}${window.location.hash}`);
  // replaceState fires no event.
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("popstate", listener);
  };
}
