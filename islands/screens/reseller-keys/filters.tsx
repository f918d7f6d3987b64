import { games } from "../../../src/keys/games.ts";
import { FilterBar } from "../../ui/filter-bar.tsx";
import type { UrlState } from "../../ui/url-state.ts";

export const filterDefaults = { search: "", game: "all", status: "all", sort: "created", descending: "true" };

type Values = typeof filterDefaults;

/** What the server is asked with. */
export function queryOf({ search, game, status, sort, descending }: Values) {
  return { search, game, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const gameChoices = [{ value: "all", label: "All Games" }, ...games.map((game) => ({ value: game, label: game }))];

const statusChoices = [
  { value: "all", label: "All Statuses" },
  { value: "ACTIVE", label: "ACTIVE" },
  { value: "EXPIRED", label: "EXPIRED" },
  { value: "REVOKED", label: "REVOKED" },
];

/** A phone's cards have no headings to sort by. */
const orders = [
  { value: "created desc", label: "Newest first" },
  { value: "created asc", label: "Oldest first" },
  { value: "expiry asc", label: "Expiring first" },
  { value: "expiry desc", label: "Expiring last" },
  { value: "devices desc", label: "Most devices" },
  { value: "key asc", label: "Key A to Z" },
];

export function KeyFilters({ values, change, clear, narrowed }: UrlState<Values>) {
  const { sort, order } = queryOf(values);
  return (
    <FilterBar
      search={{ label: "Search keys", value: values.search, onSearch: (search) => change({ search }) }}
      filters={[
        { label: "Game", value: values.game, choices: gameChoices, onChange: (game) => change({ game }) },
        { label: "Status", value: values.status, choices: statusChoices, onChange: (status) => change({ status }) },
        {
          label: "Sort by",
          value: `${sort} ${order}`,
          choices: orders,
          phoneOnly: true,
          onChange: (chosen) => {
            const [sort, order] = chosen.split(" ");
            change({ sort, descending: String(order === "desc") });
          },
        },
      ]}
      narrowed={narrowed}
      onClear={clear}
    />
  );
}
