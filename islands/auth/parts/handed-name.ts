const handedName = "registered-name";

/** Keeps the name of a new account for the login that follows, in this tab (rules.md: Registering). */
export function handNameOver(username: string): void {
  attempt(() => sessionStorage.setItem(handedName, username));
}

/** The name that was handed over, once. */
export function takeHandedName(): string | null {
  const name = attempt(() => sessionStorage.getItem(handedName));
  attempt(() => sessionStorage.removeItem(handedName));
  return name ?? null;
}

/** In a browser that keeps nothing the name is typed again. */
function attempt<Answer>(act: () => Answer): Answer | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
