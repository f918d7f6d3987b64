import { type Language, languages } from "../../../src/reference/languages.ts";

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
