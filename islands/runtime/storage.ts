/**
 * For storage that the browser may refuse, for example when cookies are blocked: then nothing is kept, and nothing is
 * found.
 */
export function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

const cookieSeconds = 365 * 24 * 60 * 60;

/** Keeps a choice that the server needs for its next rendering, so that nothing changes once the page is hydrated. */
export function keepInCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where the panel is reached by plain http.
  document.cookie = `${name}=${value}; path=/; max-age=${cookieSeconds}; samesite=lax`;
}
