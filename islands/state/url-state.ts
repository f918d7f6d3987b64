import { useCallback, useMemo, useSyncExternalStore } from "react";
import { searchCharactersMax } from "../../src/http/limits.ts";
// Hears first of a step back that closes a sheet, and keeps the address as it is.
import "../runtime/back-closes.ts";

/** Every value is a text, as it stands in the address; a value that equals its default does not stand there. */
export type UrlValues = Record<string, string>;

/** What may stand in the address under a name, where that is not any text. */
export type UrlChoices<Values extends UrlValues> = {
  readonly [Name in keyof Values as string extends Values[Name] ? never : Name]: readonly Values[Name][];
};

export interface UrlState<Values extends UrlValues> {
  values: Values;
  /** Writes what is given into the address, without a new step in the history. What is no choice is not read again. */
  change: (changed: Changed<Values>) => void;
  /** Sets every filter back; the order of the list stays. */
  clear: () => void;
  /** Whether any filter is set: it decides between 'nothing here' and 'nothing matches'. */
  narrowed: boolean;
}

type Changed<Values extends UrlValues> = { [Name in keyof Values]?: string };
type ChoicesOf<Values extends UrlValues> =
  Partial<UrlChoices<Values>> extends UrlChoices<Values> ? [UrlChoices<Values>?] : [UrlChoices<Values>];

/** How a list is ordered hides no row of it. */
const orderingNames = new Set(["sort", "descending"]);

const listeners = new Set<() => void>();

/**
 * The filters of a list, kept in the address, so that back, reload and a copied link show the same view. `defaults` has to stand
 * at module scope, and so have `choices`. The server passes the query string it was asked with, and the browser hydrates with the
 * same.
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
 * What the address says, for the names that `defaults` has and no others. An address may be an old one, or somebody's own: what no
 * choice is gives way to the default, and a text is cut to what the server searches for.
 */
export function valuesIn<Values extends UrlValues>(
  search: string,
  defaults: Values,
  ...[choices]: ChoicesOf<Values>
): Values {
  const given = new URLSearchParams(search);
  const choicesOf = new Map<string, readonly string[]>(Object.entries(choices ?? {}));
  const entries = Object.entries(defaults).map(([name, value]) => {
    const said = given.get(name)?.slice(0, searchCharactersMax) ?? value;
    return [name, choicesOf.get(name)?.includes(said) === false ? value : said];
  });
  return Object.fromEntries(entries) as Values;
}

/** The query string after a change; names that are not ours stay as they are. */
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
  // replaceState fires no event of its own.
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
