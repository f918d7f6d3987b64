import { useEffect } from "react";
import type { LiveNotice } from "../../../src/live/schema.ts";
import type { SessionUser } from "../../../src/session/schema.ts";
import { reactivatedSentence, suspendedSentence } from "../../../src/session/suspension.ts";
import { openLive } from "../../live.ts";
import { signOut } from "../../sign-out.ts";
import { liveStatus } from "../../signals.ts";
import { showToast } from "../../ui/toast-store.ts";

/** Section 9: how long a notice can be read before what it announces happens. */
const suspendedLogoutMs = 2_000;
const reactivatedReloadMs = 1_500;

/** The live channel of a signed-in reseller; nobody else has one. It ends when the page unmounts (section 4), which logging out brings about. */
export function useLive({ id, role }: SessionUser): void {
  useEffect(() => {
    if (role !== "reseller") return;
    const scheme = window.location.protocol === "https:" ? "wss" : "ws";
    const live = openLive({
      url: `${scheme}://${window.location.host}/ws`,
      resellerId: id,
      onNotice: announce,
      onStatus: (status) => {
        liveStatus.value = status;
      },
    });
    window.addEventListener("pagehide", live.close);
    // Back brings the page out of the browser's memory with its channel closed, and only a reload opens one again.
    window.addEventListener("pageshow", reloadRevived);
    return () => {
      live.close();
      window.removeEventListener("pagehide", live.close);
      window.removeEventListener("pageshow", reloadRevived);
    };
  }, [id, role]);
}

function reloadRevived({ persisted }: PageTransitionEvent): void {
  if (persisted) window.location.reload();
}

function announce(notice: LiveNotice): void {
  if (notice.type !== "status_change") return;
  if (notice.isActive) announceReactivation(notice.message);
  else announceSuspension(notice.message);
}

function announceSuspension(message: string): void {
  showToast({
    title: "Account Suspended",
    description: message || suspendedSentence,
    style: "destructive",
    persistent: true,
  });
  setTimeout(signOut, suspendedLogoutMs);
}

function announceReactivation(message: string): void {
  showToast({ title: "Account Reactivated", description: message || reactivatedSentence });
  setTimeout(() => window.location.reload(), reactivatedReloadMs);
}
