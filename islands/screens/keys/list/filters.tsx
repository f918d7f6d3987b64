import { games } from "../../../../src/catalogue/catalogue.ts";
import type { KeyListQuery } from "../../../../src/keys/schema.ts";
import type { UrlChoices, UrlState } from "../../../state/url-state.ts";
import type { Choice } from "../../../ui/field/native-select.tsx";
import { FilterBar, type ListOrder } from "../../../ui/table/filter-bar.tsx";
import { keyStatuses } from "./status-badge.tsx";

type Values = Required<Pick<KeyListQuery, "search" | "game" | "status" | "sort">> & { descending: "true" | "false" };

export const keyFilterDefaults: Values = {
  search: "",
  game: "all",
  status: "all",
  sort: "created",
  descending: "true",
};

/** The query for the server. */
export function keyQueryOf({ search, game, status, sort, descending }: Values): KeyListQuery {
  return { search, game, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const gameChoices: Choice<Values["game"]>[] = [{ value: "all", label: "All Games" }, ...games.map(choiceOf)];
const statusChoices: Choice<Values["status"]>[] = [
  { value: "all", label: "All Statuses" },
  ...keyStatuses.map(choiceOf),
];

function choiceOf<Value extends string>(value: Value): Choice<Value> {
  return { value, label: value };
}

const orders: ListOrder<Values["sort"]>[] = [
  { sort: "created", descending: "true", label: "Newest first" },
  { sort: "created", descending: "false", label: "Oldest first" },
  { sort: "expiry", descending: "false", label: "Expiry, soonest first" },
  { sort: "expiry", descending: "true", label: "Expiry, latest first" },
  { sort: "devices", descending: "true", label: "Most devices first" },
  { sort: "devices", descending: "false", label: "Fewest devices first" },
  { sort: "key", descending: "false", label: "Key, A to Z" },
  { sort: "key", descending: "true", label: "Key, Z to A" },
];

/** The valid values in the address. */
export const keyFilterChoices: UrlChoices<Values> = {
  game: gameChoices.map(({ value }) => value),
  status: statusChoices.map(({ value }) => value),
  sort: orders.map(({ sort }) => sort),
  descending: ["true", "false"],
};

/** Every list of keys is searched, filtered and sorted in the same way. */
export function KeyFilters({ onSelect, ...url }: UrlState<Values> & { onSelect?: () => void }) {
  return (
    <FilterBar
      {...url}
      search={{ label: "Search keys" }}
      filters={[
        { name: "game", label: "Game", choices: gameChoices },
        { name: "status", label: "Status", choices: statusChoices },
      ]}
      orders={orders}
      select={onSelect && { label: "Select keys", onSelect }}
    />
  );
}
