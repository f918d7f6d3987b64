import { useSignals } from "@preact/signals-react/runtime";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SessionUser } from "../../src/accounts/schema.ts";
import { reactivatedSentence, suspendedSentence } from "../../src/accounts/suspension.ts";
import type { LiveNotice } from "../../src/live/schema.ts";
import { profileQuery } from "../api/calls/profile.ts";
import { sessionQuery } from "../api/calls/session.ts";
import { signOut } from "../api/calls/sign-out.ts";
import { openLive } from "../api/live.ts";
import { refresh } from "../api/query.ts";
import { liveStatus, loseSession, online, sessionLost, watchNetwork } from "../state/signals.ts";
import { carryToast, showToast, type ToastMessage } from "../ui/toast/store.ts";
import { Toaster } from "../ui/toast/toaster.tsx";

interface NoticesProps {
  user: SessionUser;
  /** When the server answered with the page, in ISO form: one that was fetched ahead of the press may be older than it looks. */
  renderedAt: string;
}

/** What the page has to say by itself: that the session or the network is lost, what the live channel brought, and the toasts. */
export default function Notices({ user, renderedAt }: NoticesProps) {
  useSessionWatch(user, Date.parse(renderedAt));
  useLive(user);
  useEffect(watchNetwork, []);
  return (
    // Radix hides from assistive technology what is outside an open dialog, but for what has this attribute, whatever it says. What is live
    // in here says so itself.
    <div aria-live="off" data-over-dialogs="">
      <Banner />
      <Toaster />
    </div>
  );
}

/** In a place of its own over the page, so that nothing under it moves. */
function Banner() {
  useSignals();
  const sentence = sessionLost.value ? lostSession : online.value ? liveSentence() : offline;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-(--sticky-top) z-60 grid [anchor-name:--banner] justify-items-center px-4 pt-3"
    >
      {sentence && (
        <p className="pointer-events-auto rounded-lg border border-edge bg-overlay px-4 py-2.5 lifted">{sentence}</p>
      )}
    </div>
  );
}

const linkLook = "font-medium text-brass-bright underline underline-offset-2";

const lostSession = (
  <>
    Your session has ended. What you typed stays here.{" "}
    <a href="/" target="_blank" rel="noopener noreferrer" className={linkLook}>
      Log in again
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  </>
);
const interrupted = (
  <>
    Live notices are interrupted.{" "}
    <button type="button" className={linkLook} onClick={() => window.location.reload()}>
      Reload the page
    </button>{" "}
    to get them again.
  </>
);
const offline = "You are offline. This page goes on as soon as the network is back.";

function liveSentence() {
  return liveStatus.value === "given-up" ? interrupted : null;
}

function useSessionWatch(user: SessionUser, renderedAtMs: number) {
  const { data, dataUpdatedAt } = useQuery({
    ...sessionQuery,
    initialData: { isAuthenticated: true, user },
    initialDataUpdatedAt: renderedAtMs,
  });
  const client = useQueryClient();
  const { isAuthenticated, user: signedIn } = data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer counts, also one that says the same again after a call was refused.
  useEffect(() => {
    if (!isAuthenticated) loseSession("reading");
    else if (signedIn?.id === user.id) findSession(client);
    // The page is somebody else's now, and where they may be is the server's to say.
    else window.location.reload();
  }, [isAuthenticated, signedIn?.id, user.id, dataUpdatedAt, client]);
  useEffect(() => {
    document.documentElement.dataset.session = "ready";
    // A page that the Back button brings out of the browser's memory may be one of a session that has ended since.
    const look = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void lookAgain();
    };
    // Whoever has logged in again in another tab comes back within the 10 s in which the session is not asked for by itself.
    const comeBack = () => {
      if (sessionLost.peek() && document.visibilityState === "visible") void lookAgain();
    };
    const lookAgain = () => client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener("pageshow", look, { signal });
    window.addEventListener("focus", comeBack, { signal });
    document.addEventListener("visibilitychange", comeBack, { signal });
    return () => ending.abort();
  }, [client]);
}

/** The same person is signed in again: what could not be loaded meanwhile is asked for again. */
function findSession(client: QueryClient): void {
  if (!sessionLost.peek()) return;
  sessionLost.value = false;
  void client.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
}

/** How long a notice can be read before what it announces happens (rules.md: Status notices). */
const suspendedLogoutMs = 2_000;
const reactivatedReloadMs = 1_500;

/** The live channel of a signed-in reseller; nobody else has one. It ends when the page unmounts, which logging out brings about. */
export function useLive({ id, role }: SessionUser): void {
  useEffect(() => {
    if (role !== "reseller") return;
    const scheme = window.location.protocol === "https:" ? "wss" : "ws";
    let greeted = false;
    const hear = (notice: LiveNotice) => {
      // What was told while the channel was interrupted, nobody has heard.
      const isMissed = notice.type === "auth_success" && greeted;
      if (isMissed || notice.type === "credits_change") void refresh(profileQuery);
      greeted = true;
      if (notice.type === "status_change") announce(notice);
    };
    const open = () =>
      openLive({
        url: `${scheme}://${window.location.host}/ws`,
        resellerId: id,
        onNotice: hear,
        onStatus: (status) => {
          liveStatus.value = status;
        },
      });
    let live = open();
    const close = () => live.close();
    // The five attempts end within 31 s; a network that comes back later finds nothing that tries.
    const reopen = () => {
      if (liveStatus.peek() === "given-up") live = open();
    };
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener("online", reopen, { signal });
    window.addEventListener("pagehide", close, { signal });
    // Back brings the page out of the browser's memory with its channel closed, and only a reload opens one again.
    window.addEventListener("pageshow", reloadRevived, { signal });
    return () => {
      close();
      ending.abort();
    };
  }, [id, role]);
}

function reloadRevived({ persisted }: PageTransitionEvent): void {
  if (persisted) window.location.reload();
}

function announce({ isActive, message }: Extract<LiveNotice, { type: "status_change" }>): void {
  if (isActive) {
    announceAndCarry({ title: "Account Reactivated", description: message || reactivatedSentence });
    setTimeout(() => window.location.reload(), reactivatedReloadMs);
    return;
  }
  announceAndCarry({
    title: "Account Suspended",
    description: message || suspendedSentence,
    style: "destructive",
    persistent: true,
  });
  setTimeout(signOut, suspendedLogoutMs);
}

/** Both take the page away, and nobody reads a sentence in 2 s: it stands on the next page too, whatever leads there. */
function announceAndCarry(notice: Omit<ToastMessage, "action">): void {
  showToast(notice);
  carryToast(notice);
}
