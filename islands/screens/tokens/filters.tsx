import type { UrlState } from "../../state/url-state.ts";
import { FilterBar } from "../../ui/table/filter-bar.tsx";

export const filterDefaults = { search: "", status: "all" };

const statuses = [
  { value: "all", label: "All Statuses" },
  { value: "available", label: "Available" },
  { value: "used", label: "Used" },
];

/** What the address may say of them. */
export const filterChoices = { status: statuses.map(({ value }) => value) };

export function TokenFilters({ values, change, clear, narrowed }: UrlState<typeof filterDefaults>) {
  return (
    <FilterBar
      search={{
        label: "Search tokens",
        placeholder: "Search by token or username",
        value: values.search,
        onSearch: (search) => change({ search }),
      }}
      filters={[{ label: "Status", value: values.status, choices: statuses, onChange: (status) => change({ status }) }]}
      narrowed={narrowed}
      onClear={clear}
    />
  );
}
