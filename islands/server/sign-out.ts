import { showToast } from "../ui/toast/store.ts";
import { ApiFailure, postJson } from "./api.ts";

/** Ends the session and goes to the login; a session that is already over is signed out as well. Where it fails, the page lives on. */
export async function signOut(): Promise<void> {
  try {
    await postJson("/api/auth/logout");
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 401)) return sayLogoutFailed();
  }
  window.location.assign("/");
}

function sayLogoutFailed(): void {
  showToast({ title: "Error", description: "Logout failed", style: "destructive" });
}
