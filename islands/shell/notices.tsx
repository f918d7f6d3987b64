import { useSignals } from "@preact/signals-react/runtime";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { SessionUser } from "../../src/accounts/schema.ts";
import { reactivatedSentence, suspendedSentence } from "../../src/accounts/suspension.ts";
import type { LiveNotice } from "../../src/live/live.ts";
import { profileQuery, sessionQuery, signOut } from "../api/calls/session.ts";
import { openLive } from "../api/live.ts";
import { refresh } from "../api/query.ts";
import { liveStatus, loseSession, online, sessionLost, watchNetwork } from "../state/signals.ts";
import { carryToast, showToast, type ToastMessage } from "../ui/toast/store.ts";
import { followHeight, Toaster } from "../ui/toast/toaster.tsx";

interface NoticesProps {
  user: SessionUser;
  /** When the server rendered the page, in ISO form: a page fetched ahead of the press may be older than it looks. */
  renderedAt: string;
}

/** The notices of the page: a lost session or network, messages of the live channel, and toasts. */
export default function Notices({ user, renderedAt }: NoticesProps) {
  useSessionWatch(user, Date.parse(renderedAt));
  useLive(user);
  useEffect(watchNetwork, []);
  return (
    // Radix hides everything outside an open dialog from assistive technology, except elements with this attribute,
    // whatever its value. Live regions inside have their own.
    <div aria-live="off" data-over-dialogs="" className="contents">
      <Banner />
      <Toaster />
    </div>
  );
}

/** Between the header and the page, so that it covers nothing. It stays there, and in reach over an open dialog. */
function Banner() {
  useSignals();
  const place = useRef<HTMLDivElement>(null);
  const sentence = sessionLost.value ? lostSession : online.value ? liveSentence() : offline;
  useEffect(() => followHeight(place.current, "--notice"), []);
  return (
    <div ref={place} role="status" className="pointer-events-auto sticky top-14 z-60 bg-overlay text-center">
      {sentence && <p className="border-b border-edge px-4 py-2.5">{sentence}</p>}
    </div>
  );
}

const linkLook = "font-medium text-brass-bright underline underline-offset-2";

const lostSession = (
  <>
    Your session has ended. What you typed is still here.{" "}
    <a href="/" target="_blank" rel="noopener noreferrer" className={linkLook}>
      Log in again
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  </>
);
const interrupted = (
  <>
    Live notices have stopped.{" "}
    <button type="button" className={linkLook} onClick={() => window.location.reload()}>
      Reload the page
    </button>{" "}
    to resume them.
  </>
);
const offline = "You're offline. We'll reconnect automatically.";

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response counts, also an unchanged one after a refused call.
  useEffect(() => {
    if (!isAuthenticated) loseSession("reading");
    else if (signedIn?.id === user.id) restoreSession(client);
    // Another user has signed in, and the server decides where they may be.
    else window.location.reload();
  }, [isAuthenticated, signedIn?.id, user.id, dataUpdatedAt, client]);
  useEffect(() => {
    document.documentElement.dataset.session = "ready";
    // A page restored from the back/forward cache may belong to a session that has ended since.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void refetchSession();
    };
    // After a login in another tab the user returns within the 10 s in which the session is not polled.
    const onReturn = () => {
      if (sessionLost.peek() && document.visibilityState === "visible") void refetchSession();
    };
    const refetchSession = () => client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    const ending = new AbortController();
    const { signal } = ending;
    // The library itself repeats only what has never been loaded.
    window.addEventListener("online", () => retryFailed(client), { signal });
    window.addEventListener("pageshow", onPageShow, { signal });
    window.addEventListener("focus", onReturn, { signal });
    document.addEventListener("visibilitychange", onReturn, { signal });
    return () => ending.abort();
  }, [client]);
}

/** The same user is signed in again: failed requests are repeated. */
function restoreSession(client: QueryClient): void {
  if (!sessionLost.peek()) return;
  sessionLost.value = false;
  retryFailed(client);
}

function retryFailed(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ state }) => state.status === "error" });
}

/** The time to read a notice before its action happens. */
const suspendedLogoutMs = 2_000;
const reactivatedReloadMs = 1_500;

/** The live channel, which only resellers have. It ends when the page unmounts, as on logging out. */
function useLive({ role, ...user }: SessionUser): void {
  const resellerId = user.owner?.id ?? user.id;
  useEffect(() => {
    if (role !== "reseller") return;
    const scheme = window.location.protocol === "https:" ? "wss" : "ws";
    let greeted = false;
    const handleNotice = (notice: LiveNotice) => {
      // Messages sent while the channel was interrupted are lost.
      const isMissed = notice.type === "auth_success" && greeted;
      if (isMissed || notice.type === "credits_change") void refresh(profileQuery);
      greeted = true;
      if (notice.type === "status_change") announce(notice);
    };
    const open = () =>
      openLive({
        url: `${scheme}://${window.location.host}/ws`,
        resellerId,
        onNotice: handleNotice,
        onStatus: (status) => {
          liveStatus.value = status;
        },
      });
    let live = open();
    const close = () => live.close();
    // The five attempts end within 31 s, so a network that returns later needs a new one.
    const reopen = () => {
      if (liveStatus.peek() === "given-up") live = open();
    };
    const ending = new AbortController();
    const { signal } = ending;
    window.addEventListener("online", reopen, { signal });
    window.addEventListener("pagehide", close, { signal });
    // The back/forward cache restores the page with its channel closed, and only a reload opens a new one.
    window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload(), { signal });
    return () => {
      close();
      ending.abort();
    };
  }, [resellerId, role]);
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

/** Both end the page within 2 s, too soon to read the sentence, so the next page shows it again. */
function announceAndCarry(notice: Omit<ToastMessage, "action">): void {
  showToast(notice);
  carryToast(notice);
}
