import type { TokenListQuery } from "../../../src/tokens/schema.ts";
import type { UrlChoices, UrlState } from "../../state/url-state.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { FilterBar } from "../../ui/table/filter-bar.tsx";

type Values = Required<Pick<TokenListQuery, "search" | "status">>;

export const filterDefaults: Values = { search: "", status: "all" };

const statuses: Choice<Values["status"]>[] = [
  { value: "all", label: "All Statuses" },
  { value: "available", label: "Available" },
  { value: "used", label: "Used" },
];

/** What the address may say of them. */
export const filterChoices: UrlChoices<Values> = { status: statuses.map(({ value }) => value) };

export function TokenFilters({ values, change, clear, narrowed }: UrlState<Values>) {
  return (
    <FilterBar
      search={{
        label: "Search tokens",
        placeholder: "Token or username",
        value: values.search,
        onSearch: (search) => change({ search }),
      }}
      filters={[{ label: "Status", value: values.status, choices: statuses, onChange: (status) => change({ status }) }]}
      narrowed={narrowed}
      onClear={clear}
    />
  );
}
