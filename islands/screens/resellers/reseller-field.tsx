import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { foldedText } from "../../../src/core/text.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { resellersQuery } from "../../api/calls/resellers.ts";
import { creditsText } from "../../format.ts";
import { ComboField } from "../../ui/field/combo-field.tsx";
import { useRested } from "../../ui/table/search-box.tsx";

const offeredMax = 20;
const none: Reseller[] = [];

interface ResellerFieldProps {
  chosen: Reseller | null;
  onChoose: (reseller: Reseller | null) => void;
  message?: string;
}

/** Chooses one reseller of any number: the server searches, and only a few are offered. */
export function ResellerField({ chosen, onChoose, message }: ResellerFieldProps) {
  const [text, setText] = useState(chosen?.username ?? "");
  const [open, setOpen] = useState(false);
  // While the field shows the chosen reseller, opening it offers all of them.
  const { offered, note } = useOffered(text === chosen?.username ? "" : text.trim(), open);

  function take(reseller: Reseller) {
    setText(reseller.username);
    onChoose(reseller);
  }
  /** Typing a whole name chooses its reseller. */
  function takeWholeName() {
    const named = chosen
      ? undefined
      : offered.find(({ username }) => username.toLowerCase() === text.trim().toLowerCase());
    if (named) take(named);
  }

  return (
    <ComboField
      label="Reseller"
      placeholder="Search by username"
      message={message}
      hint={chosen ? `Balance: ${creditsText(chosen.credits)} credits` : "Type part of the username."}
      text={text}
      onType={(typed) => {
        setText(typed);
        if (chosen) onChoose(null);
      }}
      choices={offered.map((reseller) => ({
        value: String(reseller.id),
        label: reseller.username,
        detail: `${reseller.isActive ? "" : "Suspended · "}${creditsText(reseller.credits)} credits`,
      }))}
      chosen={chosen && String(chosen.id)}
      onChoose={(value) => {
        const reseller = offered.find(({ id }) => String(id) === value);
        if (reseller) take(reseller);
      }}
      onOpenChange={setOpen}
      onBlur={takeWholeName}
      data-autofocus={chosen === null}
      note={note}
    />
  );
}

interface FormResellerFieldProps extends Omit<ResellerFieldProps, "message"> {
  /** A form with a field for the id. */
  form: {
    field: (name: "resellerId") => { name: string; message?: string };
    fill: (name: "resellerId", text: string) => void;
  };
}

/** The same in a form. Its field is not `type="hidden"`, because React resets the value of such an input. */
export function FormResellerField({ form, chosen, onChoose }: FormResellerFieldProps) {
  const { message, ...field } = form.field("resellerId");
  function choose(next: Reseller | null) {
    onChoose(next);
    form.fill("resellerId", String(next?.id ?? ""));
  }
  return (
    <>
      <input {...field} hidden />
      <ResellerField chosen={chosen} onChoose={choose} message={message} />
    </>
  );
}

/**
 * The server searches after a pause in typing. Until then only matching resellers of the last response are offered: a
 * quick Enter must never give credits to another one.
 */
function useOffered(search: string, open: boolean): { offered: Reseller[]; note: string | undefined } {
  const rested = useRested(search);
  const { data, isError, isFetching } = useQuery({
    ...resellersQuery({ search: rested, sort: "username", limit: offeredMax }),
    placeholderData: keepPreviousData,
    enabled: open,
  });
  // As the server's search does it.
  const isOffered = ({ username }: Reseller) => username.toLowerCase().includes(foldedText(search));
  const offered = data?.rows.filter(isOffered) ?? none;
  return { offered, note: note() };

  function note(): string | undefined {
    if (offered.length === 0 && (isFetching || rested !== search)) return "Searching...";
    if (isError) return "The resellers could not be loaded. Type to try again.";
    if (offered.length === 0) return "No resellers found";
    return data?.nextCursor ? `Showing the first ${offeredMax}. Type to narrow the list.` : undefined;
  }
}
