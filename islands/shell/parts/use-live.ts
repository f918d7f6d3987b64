import { useEffect } from "react";
import type { SessionUser } from "../../../src/accounts/schema.ts";
import { reactivatedSentence, suspendedSentence } from "../../../src/accounts/suspension.ts";
import type { LiveNotice } from "../../../src/live/schema.ts";
import { profileQuery } from "../../api/calls/profile.ts";
import { signOut } from "../../api/calls/sign-out.ts";
import { openLive } from "../../api/live.ts";
import { refresh } from "../../api/query.ts";
import { liveStatus } from "../../state/signals.ts";
import { carryToast, showToast, type ToastMessage } from "../../ui/toast/store.ts";

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
    window.addEventListener("online", reopen);
    window.addEventListener("pagehide", close);
    // Back brings the page out of the browser's memory with its channel closed, and only a reload opens one again.
    window.addEventListener("pageshow", reloadRevived);
    return () => {
      close();
      window.removeEventListener("online", reopen);
      window.removeEventListener("pagehide", close);
      window.removeEventListener("pageshow", reloadRevived);
    };
  }, [id, role]);
}

function reloadRevived({ persisted }: PageTransitionEvent): void {
  if (persisted) window.location.reload();
}

function announce({ isActive, message }: Extract<LiveNotice, { type: "status_change" }>): void {
  if (isActive) announceReactivation(message);
  else announceSuspension(message);
}

function announceSuspension(message: string): void {
  announceAndCarry({
    title: "Account Suspended",
    description: message || suspendedSentence,
    style: "destructive",
    persistent: true,
  });
  setTimeout(signOut, suspendedLogoutMs);
}

function announceReactivation(message: string): void {
  announceAndCarry({ title: "Account Reactivated", description: message || reactivatedSentence });
  setTimeout(() => window.location.reload(), reactivatedReloadMs);
}

/** Both take the page away, and nobody reads a sentence in 2 s: it stands on the next page too, whatever leads there. */
function announceAndCarry(notice: Omit<ToastMessage, "action">): void {
  showToast(notice);
  carryToast(notice);
}
