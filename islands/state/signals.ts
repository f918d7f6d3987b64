import { signal } from "@preact/signals-react";

/** State from outside React. Written in the browser only: on the server all users would share it. */
export const online = signal(true);

/** The session ended while the page was open: the page says so, and keeps typed text (rules.md: Forms and dialogs). */
export const sessionLost = signal(false);

export type LiveStatus = "closed" | "connecting" | "open" | "given-up";
export const liveStatus = signal<LiveStatus>("closed");

/**
 * Called for every call that was refused without a session. After the first the page stays open; an action after that
 * leads to the login.
 */
export function loseSession(during: "reading" | "acting"): void {
  if (sessionLost.peek() && during === "acting") window.location.assign("/");
  sessionLost.value = true;
}

/** Follows whether the browser has a network. Returns a function that stops it. */
export function watchNetwork(): () => void {
  const update = () => {
    online.value = navigator.onLine;
  };
  update();
  const ending = new AbortController();
  window.addEventListener("online", update, { signal: ending.signal });
  window.addEventListener("offline", update, { signal: ending.signal });
  return () => ending.abort();
}
