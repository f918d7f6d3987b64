import { games } from "../../src/keys/games.ts";
import type { KeySort } from "../../src/keys/schema.ts";
import type { UrlState } from "../state/url-state.ts";
import type { Choice } from "../ui/field/native-select.tsx";
import { FilterBar } from "../ui/table/filter-bar.tsx";
import { keyStatuses } from "./status-badge.tsx";

export const keyFilterDefaults = { search: "", game: "all", status: "all", sort: "created", descending: "true" };

type Values = typeof keyFilterDefaults;

/** What the server is asked with. */
export function keyQueryOf({ search, game, status, sort, descending }: Values) {
  return { search, game, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const gameChoices: Choice[] = [{ value: "all", label: "All Games" }, ...games.map(choiceOf)];
const statusChoices: Choice[] = [{ value: "all", label: "All Statuses" }, ...keyStatuses.map(choiceOf)];

function choiceOf(value: string): Choice {
  return { value, label: value };
}

/** A phone's cards have no headings to sort by. */
const orders: { value: `${KeySort} ${boolean}`; label: string }[] = [
  { value: "created true", label: "Newest first" },
  { value: "created false", label: "Oldest first" },
  { value: "expiry false", label: "Expiry, soonest first" },
  { value: "expiry true", label: "Expiry, latest first" },
  { value: "devices true", label: "Most devices first" },
  { value: "devices false", label: "Fewest devices first" },
  { value: "key false", label: "Key, A to Z" },
  { value: "key true", label: "Key, Z to A" },
];

/** What the address may say of them. */
export const keyFilterChoices = {
  game: gameChoices.map(({ value }) => value),
  status: statusChoices.map(({ value }) => value),
  sort: orders.map(({ value }) => String(value.split(" ")[0])),
  descending: ["true", "false"],
};

/** Every list of keys is searched, narrowed and sorted in the same way, whoever looks at it. */
export function KeyFilters({ values, change, clear, narrowed }: UrlState<Values>) {
  return (
    <FilterBar
      search={{ label: "Search keys", value: values.search, onSearch: (search) => change({ search }) }}
      filters={[
        { label: "Game", value: values.game, choices: gameChoices, onChange: (game) => change({ game }) },
        { label: "Status", value: values.status, choices: statusChoices, onChange: (status) => change({ status }) },
        {
          label: "Sort by",
          value: `${values.sort} ${values.descending}`,
          choices: orders,
          phoneOnly: true,
          onChange: (chosen) => {
            const [sort, descending] = chosen.split(" ");
            change({ sort, descending });
          },
        },
      ]}
      narrowed={narrowed}
      onClear={clear}
    />
  );
}
