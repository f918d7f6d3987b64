import { games } from "../../../../src/catalogue/catalogue.ts";
import type { KeyListQuery } from "../../../../src/keys/schema.ts";
import type { UrlChoices, UrlState } from "../../../state/url-state.ts";
import type { Choice } from "../../../ui/field/native-select.tsx";
import { FilterBar } from "../../../ui/table/filter-bar.tsx";
import { keyStatuses } from "./status-badge.tsx";

type Values = Required<Pick<KeyListQuery, "search" | "game" | "status" | "sort">> & { descending: "true" | "false" };

export const keyFilterDefaults: Values = {
  search: "",
  game: "all",
  status: "all",
  sort: "created",
  descending: "true",
};

/** What the server is asked with. */
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

/** A phone's cards have no headings to sort by. */
const orders: (Pick<Values, "sort" | "descending"> & { label: string })[] = [
  { sort: "created", descending: "true", label: "Newest first" },
  { sort: "created", descending: "false", label: "Oldest first" },
  { sort: "expiry", descending: "false", label: "Expiry, soonest first" },
  { sort: "expiry", descending: "true", label: "Expiry, latest first" },
  { sort: "devices", descending: "true", label: "Most devices first" },
  { sort: "devices", descending: "false", label: "Fewest devices first" },
  { sort: "key", descending: "false", label: "Key, A to Z" },
  { sort: "key", descending: "true", label: "Key, Z to A" },
];
const orderChoices = orders.map(({ sort, descending, label }) => ({ value: `${sort} ${descending}`, label }));

/** What the address may say of them. */
export const keyFilterChoices: UrlChoices<Values> = {
  game: gameChoices.map(({ value }) => value),
  status: statusChoices.map(({ value }) => value),
  sort: orders.map(({ sort }) => sort),
  descending: ["true", "false"],
};

/** Every list of keys is searched, narrowed and sorted in the same way, whoever looks at it. */
export function KeyFilters({
  values,
  change,
  clear,
  narrowed,
  onSelect,
}: UrlState<Values> & { onSelect?: () => void }) {
  return (
    <FilterBar
      search={{ label: "Search keys", value: values.search, onSearch: (search) => change({ search }) }}
      filters={[
        { label: "Game", value: values.game, choices: gameChoices, onChange: (game) => change({ game }) },
        { label: "Status", value: values.status, choices: statusChoices, onChange: (status) => change({ status }) },
        {
          label: "Sort by",
          value: `${values.sort} ${values.descending}`,
          choices: orderChoices,
          phoneOnly: true,
          onChange: (chosen) => {
            const [sort, descending] = chosen.split(" ");
            change({ sort, descending });
          },
        },
      ]}
      narrowed={narrowed}
      onClear={clear}
      select={onSelect && { label: "Select keys", onSelect }}
    />
  );
}
