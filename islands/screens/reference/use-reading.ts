import { useState } from "react";
import { placeholder } from "../../../src/reference/call.ts";
import type { Language } from "../../../src/reference/languages.ts";
import { rememberLanguage } from "./language-choice.ts";

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
