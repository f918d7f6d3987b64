import { signal } from "@preact/signals-react";

/** What comes from outside React. Written in the browser only: on the server these would be everybody's. */
export const online = signal(true);

/** The session ended while the page was open: it says so, and keeps what was typed (rules.md: Lost session). */
export const sessionLost = signal(false);

export type LiveStatus = "closed" | "connecting" | "open" | "given-up";
export const liveStatus = signal<LiveStatus>("closed");

/**
 * Told by every call that was refused for want of a session. The page learns it from the first, and stays; an action taken after
 * it has said so goes to the login.
 */
export function loseSession(during: "reading" | "acting"): void {
  if (sessionLost.peek() && during === "acting") window.location.assign("/");
  sessionLost.value = true;
}

/** Follows whether the browser has a network; answers how to stop. */
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
