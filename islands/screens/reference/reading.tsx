import { Info } from "lucide-react";
import { useState } from "react";
import { placeholder } from "../../../src/reference/call.ts";
import { type Language, languages } from "../../../src/reference/languages.ts";
import { SwitchField } from "../../ui/field/field.tsx";

export type Reading = ReturnType<typeof useReading>;

/** How somebody reads the examples of a page: in which language, and with whose address in them. */
export function useReading(rememberedLanguage: Language) {
  const [language, setLanguage] = useState(rememberedLanguage);
  const [isOurs, setOurs] = useState(false);
  const address = isOurs ? window.location.origin : placeholder;
  return {
    language,
    chooseLanguage(chosen: Language) {
      setLanguage(chosen);
      rememberLanguage(chosen);
    },
    /** Whether the examples carry this server's address, in the place of the placeholder. */
    isOurs,
    setOurs,
    address,
    /** An example with that address in it. */
    addressed: (example: string) => example.replaceAll(placeholder, address),
  };
}

/** What every example leaves to whoever copies it (rules.md: Admin API page), and the switch that does the half of it. */
export function AddressNote({ reading: { isOurs, setOurs, address } }: { reading: Reading }) {
  const named = <code className="key-text break-all text-brass-bright">{address}</code>;
  return (
    <div className="mb-6 flex gap-3 rounded-lg border border-edge bg-raised p-4">
      <Info aria-hidden size={18} className="mt-0.5 shrink-0 text-muted" />
      <div className="min-w-0 grow">
        <p role="note">
          {isOurs ? (
            <>The examples have the address of this server, {named}. Implement error handling and retry.</>
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

/** Read by src/pages/site.tsx: so the samples come in the language that was chosen last, and nothing moves once the page is awake. */
export const languageCookie = "sample-language";

const keptSeconds = 365 * 24 * 60 * 60;

export function rememberLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where the panel is reached by plain http.
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${keptSeconds}; samesite=lax`;
}

/** What the cookie says, which may be anything; JavaScript where it names no language. */
export function languageIn(cookie: string | null): Language {
  return cookie !== null && Object.hasOwn(languages, cookie) ? (cookie as Language) : "javascript";
}
