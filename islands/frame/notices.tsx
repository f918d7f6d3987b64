import { useSignals } from "@preact/signals-react/runtime";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SessionUser } from "../../src/session/schema.ts";
import { queryClient, sessionQuery } from "../query.ts";
import { liveStatus, loseSession, online, sessionLost, watchNetwork } from "../signals.ts";
import { Toaster } from "../ui/toaster.tsx";
import { useLive } from "./parts/use-live.ts";

interface NoticesProps {
  user: SessionUser;
  /** When the server made the page: one that was fetched ahead of the press may be older than it looks. */
  renderedAtMs: number;
}

/** What the page has to say by itself: that the session or the network is lost, what the live channel brought, and the toasts. */
export default function Notices({ user, renderedAtMs }: NoticesProps) {
  useSessionWatch(user, renderedAtMs);
  useLive(user);
  useEffect(watchNetwork, []);
  return (
    <>
      <Banner />
      <Toaster />
    </>
  );
}

/** In a place of its own over the page, so that nothing under it moves. */
function Banner() {
  useSignals();
  const sentence = sessionLost.value ? lostSession : online.value ? liveSentence() : offline;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-(--sticky-top) z-30 grid [anchor-name:--banner] justify-items-center px-4 pt-3"
    >
      {sentence && (
        <p className="pointer-events-auto rounded-lg border border-edge bg-overlay px-4 py-2.5 shadow-overlay">
          {sentence}
        </p>
      )}
    </div>
  );
}

const linkLook = "font-medium text-brass-bright underline underline-offset-2";

const lostSession = (
  <>
    Your session has ended. What you typed stays here.{" "}
    <a href="/" className={linkLook}>
      Log in again
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
  const { data } = useQuery({
    ...sessionQuery,
    initialData: { isAuthenticated: true, user },
    initialDataUpdatedAt: renderedAtMs,
  });
  const lost = !data.isAuthenticated || data.user?.id !== user.id;
  useEffect(() => {
    if (lost) loseSession("reading");
  }, [lost]);
  useEffect(() => {
    document.documentElement.dataset.session = "ready";
    // A page that the Back button brings out of the browser's memory may be one of a session that has ended since.
    const look = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    };
    window.addEventListener("pageshow", look);
    return () => window.removeEventListener("pageshow", look);
  }, []);
}
