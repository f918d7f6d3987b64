import { Info } from "lucide-react";
import { useState } from "react";
import { languageCookie } from "../../../src/pages/cookies.ts";
import { type Language, placeholder } from "../../../src/reference/call.ts";
import { keepInCookie } from "../../runtime/storage.ts";
import { SwitchField } from "../../ui/field/field.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";

export type Reading = ReturnType<typeof useReading>;

/** How the examples of a page are read: in which language, and with which address in them. */
export function useReading(rememberedLanguage: Language) {
  const [language, setLanguage] = useState(rememberedLanguage);
  const [isOurs, setOurs] = useState(false);
  const address = isOurs ? window.location.origin : placeholder;
  return {
    language,
    chooseLanguage(chosen: Language) {
      setLanguage(chosen);
      keepInCookie(languageCookie, chosen);
    },
    /** Whether the examples have this server's address instead of the placeholder. */
    isOurs,
    setOurs,
    address,
    /** An example with that address in it. */
    addressed: (example: string) => example.replaceAll(placeholder, address),
  };
}

/** What remains to be done with every example (rules.md: API pages), and the switch that fills in the address. */
export function AddressNote({ reading: { isOurs, setOurs, address } }: { reading: Reading }) {
  const named = <Verbatim className="break-all text-brass-bright">{address}</Verbatim>;
  return (
    <div className="mb-6 flex gap-3 rounded-lg border border-edge bg-raised p-4">
      <Info size={18} className="mt-0.5 shrink-0 text-muted" />
      <div className="min-w-0 grow">
        <p role="note">
          {isOurs ? (
            <>The examples use this server’s address, {named}. Implement error handling and retry.</>
          ) : (
            <>Replace {named} with your real API endpoint, and implement error handling and retry.</>
          )}
        </p>
        <SwitchField
          label="Use this server’s address"
          checked={isOurs}
          onChange={({ target }) => setOurs(target.checked)}
          className="needs-script mt-2"
        />
      </div>
    </div>
  );
}
