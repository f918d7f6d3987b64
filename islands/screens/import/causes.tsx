import { useQuery } from "@tanstack/react-query";
import type { DateOrder } from "../../../src/imports/schema.ts";
import { gamesQuery } from "../../api/calls/catalogue.ts";
import type { ImportCause, ImportForm } from "../../api/calls/imports.ts";
import { allResellersQuery } from "../../api/calls/resellers.ts";
import { pluralText } from "../../format.ts";
import { type Choice, NativeSelect } from "../../ui/field/native-select.tsx";
import { tableRoles } from "../../ui/table/column.ts";

/** A choice that is no name. */
const leaveOut = " ";

export const causeId = ({ field, value, reason }: ImportCause) => [field, value, reason].join("|");

/** The fixes with which the lines of a cause become what was chosen. */
export function fixesWith(fixes: ImportForm["fixes"], { field, value, reason }: ImportCause, choice: string) {
  const to = choice === leaveOut ? "" : choice;
  if (isOfDates(reason)) return { ...fixes, dates: (to || undefined) as DateOrder | undefined };
  if (value === null || (field !== "game" && field !== "owner")) return fixes;
  return { ...fixes, values: { ...fixes.values, [`${field}:${value}`]: to } };
}

const isOfDates = (reason: string) => reason.includes("must be a date");

const orders: Choice<DateOrder>[] = [
  { value: "dmy", label: "Day first: 31.12.2026" },
  { value: "mdy", label: "Month first: 12/31/2026" },
];

const rowLook = "flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-3 py-2.5 not-last:border-b";

interface CausesProps {
  causes: ImportCause[];
  /** What was chosen for each cause. */
  decisions: Record<string, string>;
  busy: boolean;
  onDecide: (cause: ImportCause, choice: string) => void;
}

/** Why lines are left out, each with what mends all its lines if one value is unknown. */
export function Causes({ causes, decisions, busy, onDecide }: CausesProps) {
  const { data: games = [] } = useQuery(gamesQuery);
  const { data: owners = [] } = useQuery({
    ...allResellersQuery,
    enabled: causes.some(({ field }) => field === "owner"),
  });
  const offerFor = ({ field, value, reason }: ImportCause): [string, Choice[]] => {
    if (isOfDates(reason)) return ["Choose the order", orders];
    // The call could not tell where a name with this sign ends.
    if (value === null || value.includes("=")) return ["Choose", []];
    if (field === "game") return ["Choose a game", games.map(({ name }) => ({ value: name, label: name }))];
    if (field === "owner") return ["Choose a reseller", owners.map(({ username: value }) => ({ value, label: value }))];
    return ["Choose", []];
  };
  return (
    <table {...tableRoles.table} aria-label="Causes" className="block rounded-lg border border-line">
      <tbody {...tableRoles.rowGroup} className="block">
        {causes.map((cause) => {
          const [placeholder, choices] = offerFor(cause);
          return (
            <tr key={causeId(cause)} {...tableRoles.row} className={rowLook}>
              <td {...tableRoles.cell} className="min-w-0 flex-1 basis-60 wrap-anywhere">
                <strong className="font-medium">{pluralText(cause.lines, "line")}: </strong>
                {cause.reason.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "")}
              </td>
              <td {...tableRoles.cell} className="max-sm:w-full sm:w-60">
                <NativeSelect
                  aria-label={`${placeholder}: ${cause.reason}`}
                  placeholder={placeholder}
                  choices={[...choices, { value: leaveOut, label: "Leave out" }]}
                  value={decisions[causeId(cause)] ?? ""}
                  disabled={busy}
                  onChange={({ currentTarget }) => onDecide(cause, currentTarget.value)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
