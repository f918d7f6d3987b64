import { useQuery } from "@tanstack/react-query";
import { KeyRound, ReceiptText, Ticket, UserRound } from "lucide-react";
import type { Role } from "../../../src/accounts/schema.ts";
import { foldedKeyText } from "../../../src/core/key-text.ts";
import { foldedText } from "../../../src/core/text.ts";
import { findCharactersMax, findCharactersMin } from "../../../src/http/limits.ts";
import { failureText } from "../../api/api.ts";
import { type Findings, findAnything } from "../../api/calls/overview.ts";
import { creditsWithUnit, pluralText } from "../../format.ts";
import { useRights } from "../../runtime/rights.ts";
import { StatusBadge } from "../../screens/keys/list/status-badge.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";
import { useRested } from "../../ui/table/search-box.tsx";
import { Ago } from "../../ui/time.tsx";
import type { BarGroup, BarOption } from "./commands.ts";

type Found<Kind extends "keys" | "resellers" | "tokens" | "orders"> = Findings[Kind][number];

/** The command bar's second source: the server's matches for the text, once the typing rests. */
export function useFindings(role: Role, typed: string): { data?: Findings; groups: BarGroup[]; note: string | null } {
  const wanted = typed.trim().slice(0, findCharactersMax);
  const q = useRested(wanted);
  const maySearch = useRights().may("keys:read");
  const enabled = maySearch && q.length >= findCharactersMin;
  const { data, error, isFetching } = useQuery({
    queryKey: ["found", role, q],
    queryFn: ({ signal }) => findAnything(role, q, signal),
    enabled,
    // Recent purchases and revocations must be found as they are now.
    staleTime: 0,
  });
  if (!maySearch || wanted.length < findCharactersMin) return { groups: [], note: null };
  // Matches of the previous text are dropped: Enter now means the new text.
  if (q !== wanted) return { groups: [], note: "Searching..." };
  return { data, groups: data ? groupsOf(role, q, data) : [], note: noteOf(error, isFetching) };
}

function noteOf(error: Error | null, isFetching: boolean): string | null {
  if (isFetching) return "Searching...";
  return error && failureText(error, "The search failed. Check your connection and try again.");
}

/** Groups with a name that begins with the text come first. */
function groupsOf(role: Role, text: string, { keys, resellers, tokens, orders }: Findings): BarGroup[] {
  const isNamed = ({ names }: { names: (string | null)[] }) =>
    names.some((name) => name && foldedKeyText(name).startsWith(foldedKeyText(text)));
  return [
    {
      heading: "Keys",
      names: keys.map(({ keyString }) => keyString),
      options: keys.map((key) => foundKey(role, text, key)),
    },
    {
      heading: "Resellers",
      names: resellers.map(({ username }) => username),
      options: resellers.map(foundReseller),
    },
    {
      heading: "Referral tokens",
      names: tokens.flatMap(({ token, label }) => [token, label]),
      options: tokens.map(foundToken),
    },
    {
      heading: "Orders",
      names: orders.flatMap(({ id }) => [`#${id}`, `${id}`]),
      options: orders.map((order) => foundOrder(role, text, order)),
    },
  ]
    .filter(({ options }) => options.length > 0)
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
}

function foundKey(role: Role, text: string, key: Found<"keys">): BarOption {
  const { id, keyString, game, createdAt, status } = key;
  return {
    id: `key-${id}`,
    href: `/${role}/keys/${id}`,
    icon: KeyRound,
    label: <Verbatim>{keyString}</Verbatim>,
    reason: reasonOf(key, text),
    detail: (
      <>
        <span className="max-sm:hidden">
          {game} · <Ago value={createdAt} />
        </span>
        <StatusBadge status={status} />
      </>
    ),
  };
}

/** Why a key was found, if its text does not show that. */
function reasonOf(key: Found<"keys">, text: string): string | null {
  return {
    text: key.close ? "Looks alike" : null,
    note: fromMatch(key.note, text),
    device: `Device …${text}…`,
    externalId: `External ID …${text}…`,
    owner: "owner" in key ? `Of ${key.owner}` : null,
  }[key.foundBy];
}

/** How long ago it was made, where there is room. */
const withAgo = (detail: string, at: string) => [
  <span key="detail">{detail}</span>,
  <span key="ago" className="max-sm:hidden">
    · <Ago value={at} />
  </span>,
];

function foundReseller({ id, username, credits, isActive, registrationDate }: Found<"resellers">): BarOption {
  return {
    id: `reseller-${id}`,
    href: `/admin/resellers/${id}`,
    icon: UserRound,
    label: username,
    detail: withAgo(isActive ? creditsWithUnit(credits) : "Suspended", registrationDate),
  };
}

function foundToken({ id, token, isUsed, label, createdAt }: Found<"tokens">): BarOption {
  return {
    id: `token-${id}`,
    // Only as much of the token as finds it: proxy logs keep addresses.
    href: `/admin/tokens?search=${encodeURIComponent(token.slice(0, tokenCharactersShown))}`,
    icon: Ticket,
    label: <Verbatim>{token}</Verbatim>,
    detail: withAgo([label, isUsed ? "Used" : "Available"].filter(Boolean).join(" · "), createdAt),
  };
}

function foundOrder(role: Role, text: string, order: Found<"orders">): BarOption {
  const { id, count, game, note, saleId, at } = order;
  const isSale = foldedText(saleId ?? "").includes(foldedText(text));
  return {
    id: `order-${id}`,
    href: `/${role}/orders/${id}`,
    icon: ReceiptText,
    label: `Order #${id}`,
    reason: fromMatch(isSale ? `Sale ${saleId}` : note, text),
    detail: withAgo([pluralText(count, "key"), game].filter(Boolean).join(", "), at),
  };
}

const tokenCharactersShown = 8;

/** The note from a word or two before the match, because one line does not hold a long note. */
function fromMatch(note: string | null, text: string): string | null {
  const at = foldedText(note ?? "").indexOf(foldedText(text));
  if (!note || at <= noteCharactersBefore) return note;
  const wordAt = note.indexOf(" ", at - noteCharactersBefore) + 1;
  return `…${note.slice(wordAt === 0 ? at : Math.min(wordAt, at))}`;
}

const noteCharactersBefore = 12;
