import type { UrlState } from "../../state/url-state.ts";
import { FilterBar } from "../../ui/table/filter-bar.tsx";

export const filterDefaults = { search: "", status: "all", sort: "registered", descending: "true" };

type Values = typeof filterDefaults;

/** What the server is asked with. */
export function queryOf({ search, status, sort, descending }: Values) {
  return { search, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const statuses = [
  { value: "all", label: "All Statuses" },
  { value: "active", label: "Active" },
  { value: "suspended", label: "Suspended" },
];

/** A phone's cards have no headings to sort by. */
const orders = [
  { value: "registered desc", label: "Newest first" },
  { value: "registered asc", label: "Oldest first" },
  { value: "username asc", label: "Username A to Z" },
  { value: "username desc", label: "Username Z to A" },
  { value: "credits desc", label: "Most credits" },
  { value: "credits asc", label: "Fewest credits" },
  { value: "keys desc", label: "Most keys" },
  { value: "keys asc", label: "Fewest keys" },
];

/** What the address may say of them. */
export const filterChoices = {
  status: statuses.map(({ value }) => value),
  sort: orders.map(({ value }) => String(value.split(" ")[0])),
  descending: ["true", "false"],
};

export function ResellerFilters({ values, change, clear, narrowed }: UrlState<Values>) {
  const { sort, order } = queryOf(values);
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
