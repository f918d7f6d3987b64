import type { ResellerListQuery } from "../../../src/resellers/schema.ts";
import type { UrlChoices, UrlState } from "../../state/url-state.ts";
import type { Choice } from "../../ui/field/native-select.tsx";
import { FilterBar, type ListOrder } from "../../ui/table/filter-bar.tsx";

type Values = Required<Pick<ResellerListQuery, "search" | "status" | "sort">> & { descending: "true" | "false" };

export const filterDefaults: Values = { search: "", status: "all", sort: "registered", descending: "true" };

/** The query for the server. */
export function queryOf({ search, status, sort, descending }: Values): ResellerListQuery {
  return { search, status, sort, order: descending === "true" ? "desc" : "asc" };
}

const statuses: Choice<Values["status"]>[] = [
  { value: "all", label: "All Statuses" },
  { value: "active", label: "Active" },
  { value: "suspended", label: "Suspended" },
];

const orders: ListOrder<Values["sort"]>[] = [
  { sort: "registered", descending: "true", label: "Newest first" },
  { sort: "registered", descending: "false", label: "Oldest first" },
  { sort: "username", descending: "false", label: "Username A to Z" },
  { sort: "username", descending: "true", label: "Username Z to A" },
  { sort: "credits", descending: "true", label: "Most credits" },
  { sort: "credits", descending: "false", label: "Fewest credits" },
  { sort: "keys", descending: "true", label: "Most keys" },
  { sort: "keys", descending: "false", label: "Fewest keys" },
];

/** The valid values in the address. */
export const filterChoices: UrlChoices<Values> = {
  status: statuses.map(({ value }) => value),
  sort: orders.map(({ sort }) => sort),
  descending: ["true", "false"],
};

export function ResellerFilters(url: UrlState<Values>) {
  return (
    <FilterBar
      {...url}
      search={{ label: "Search resellers", placeholder: "Search by username" }}
      filters={[{ name: "status", label: "Status", choices: statuses }]}
      orders={orders}
    />
  );
}
