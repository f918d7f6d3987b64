import type { ResellerListQuery } from "../../../src/resellers/schema.ts";
import type { UrlChoices, UrlState } from "../../state/url-state.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";

type Values = Required<Pick<ResellerListQuery, "search" | "status" | "sort">> & { descending: "true" | "false" };

export const filterDefaults: Values = { search: "", status: "all", sort: "registered", descending: "true" };

/** What the server is asked with. */
export function queryOf({ search, status, sort, descending }: Values): ResellerListQuery {
  return { search, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const statuses: Choice<Values["status"]>[] = [
  { value: "all", label: "All Statuses" },
  { value: "active", label: "Active" },
  { value: "suspended", label: "Suspended" },
];

/** A phone's cards have no headings to sort by. */
const orders: (Pick<Values, "sort" | "descending"> & { label: string })[] = [
  { sort: "registered", descending: "true", label: "Newest first" },
  { sort: "registered", descending: "false", label: "Oldest first" },
  { sort: "username", descending: "false", label: "Username A to Z" },
  { sort: "username", descending: "true", label: "Username Z to A" },
  { sort: "credits", descending: "true", label: "Most credits" },
  { sort: "credits", descending: "false", label: "Fewest credits" },
  { sort: "keys", descending: "true", label: "Most keys" },
  { sort: "keys", descending: "false", label: "Fewest keys" },
];
const orderChoices = orders.map(({ sort, descending, label }) => ({ value: `${sort} ${descending}`, label }));

/** What the address may say of them. */
export const filterChoices: UrlChoices<Values> = {
  status: statuses.map(({ value }) => value),
  sort: orders.map(({ sort }) => sort),
  descending: ["true", "false"],
};

export function ResellerFilters({ values, change, clear, narrowed }: UrlState<Values>) {
  return (
    <FilterBar
      search={{
        label: "Search resellers",
        placeholder: "Search by username",
        value: values.search,
        onSearch: (search) => change({ search }),
      }}
      filters={[
        { label: "Status", value: values.status, choices: statuses, onChange: (status) => change({ status }) },
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
    />
  );
}
