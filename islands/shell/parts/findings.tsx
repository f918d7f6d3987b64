import { useQuery } from "@tanstack/react-query";
import { KeyRound, ReceiptText, Ticket, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { searchCharactersMax, searchCharactersMin } from "../../../src/search/limits.ts";
import { failureText } from "../../api/api.ts";
import { type Findings, findAnything } from "../../api/calls/search.ts";
import { creditsWithUnit, pluralText } from "../../format.ts";
import { StatusBadge } from "../../screens/keys/list/status-badge.tsx";
import { useRested } from "../../ui/table/search-box.tsx";

/** One line of the command bar. */
export interface BarOption {
  id: string;
  label: ReactNode;
  icon: ReactNode;
  /** Shown at the right: a status, a balance. */
  detail?: ReactNode;
  /** A link, so that it can be opened in a new tab; without one, `run` is called. */
  href?: string;
  run?: () => void;
  /** One of the bar's own commands, which are remembered when they are used. */
  isCommand?: boolean;
}

export interface BarGroup {
  heading: string;
  options: BarOption[];
}

/** The command bar's second source: the server's matches for the text, once the typing rests. */
export function useFindings(role: Role, typed: string): { groups: BarGroup[]; note: string | null } {
  const wanted = typed.trim().slice(0, searchCharactersMax);
  const q = useRested(wanted);
  const enabled = q.length >= searchCharactersMin;
  const { data, error, isFetching } = useQuery({
    queryKey: ["found", role, q],
    queryFn: ({ signal }) => findAnything(role, q, signal),
    enabled,
    // Recent purchases and revocations must be found as they are now.
    staleTime: 0,
  });
  if (wanted.length < searchCharactersMin) return { groups: [], note: null };
  // Matches of the previous text are dropped: Enter now means the new text.
  if (q !== wanted) return { groups: [], note: "Searching..." };
  return { groups: data ? groupsOf(role, data) : [], note: noteOf(error, isFetching) };
}

function noteOf(error: Error | null, isFetching: boolean): string | null {
  if (isFetching) return "Searching...";
  return error && failureText(error, "The search failed. Check your connection and try again.");
}

function groupsOf(role: Role, { keys, resellers, tokens, orders }: Findings): BarGroup[] {
  return [
    { heading: "Keys", options: keys.map((key) => foundKey(role, key)) },
    { heading: "Resellers", options: resellers.map(foundReseller) },
    { heading: "Referral tokens", options: tokens.map(foundToken) },
    { heading: "Orders", options: orders.map((order) => foundOrder(role, order)) },
  ].filter(({ options }) => options.length > 0);
}

function foundKey(role: Role, { id, keyString, game, status, close }: Findings["keys"][number]): BarOption {
  return {
    id: `key-${id}`,
    href: `/${role}/keys/${id}`,
    icon: <KeyRound size={18} />,
    label: (
      <span translate="no" className="key-text">
        {keyString}
      </span>
    ),
    detail: (
      <>
        <span className="max-sm:hidden">{close ? "Looks alike" : game}</span>
        <StatusBadge status={status} />
      </>
    ),
  };
}

function foundReseller({ id, username, credits, isActive }: Findings["resellers"][number]): BarOption {
  return {
    id: `reseller-${id}`,
    href: `/admin/resellers/${id}`,
    icon: <UserRound size={18} />,
    label: username,
    detail: isActive ? creditsWithUnit(credits) : "Suspended",
  };
}

function foundToken({ id, token, isUsed, label }: Findings["tokens"][number]): BarOption {
  return {
    id: `token-${id}`,
    // Only as much of the token as finds it: proxy logs keep addresses.
    href: `/admin/tokens?search=${encodeURIComponent(token.slice(0, tokenCharactersShown))}`,
    icon: <Ticket size={18} />,
    label: (
      <span translate="no" className="key-text">
        {token}
      </span>
    ),
    detail: [label, isUsed ? "Used" : "Available"].filter(Boolean).join(" · "),
  };
}

function foundOrder(role: Role, { id, count, game }: Findings["orders"][number]): BarOption {
  return {
    id: `order-${id}`,
    href: `/${role}/orders/${id}`,
    icon: <ReceiptText size={18} />,
    label: `Order #${id}`,
    detail: `${pluralText(count, "key")}, ${game}`,
  };
}

const tokenCharactersShown = 8;
