import { showToast } from "../../ui/toast/store.ts";
import { ApiFailure } from "../api.ts";
import { endSession } from "./session.ts";

/** Ends the session and goes to the login; a session that is already over is signed out as well. Where it fails, the page lives on. */
export async function signOut(): Promise<void> {
  try {
    await endSession();
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 401)) return sayLogoutFailed();
  }
  window.location.assign("/");
}

function sayLogoutFailed(): void {
  showToast({ title: "Error", description: "Logout failed", style: "destructive" });
}
