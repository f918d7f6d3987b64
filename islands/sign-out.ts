import { ApiFailure, postJson } from "./api.ts";
import { showToast } from "./ui/toast-store.ts";

const farewells = new Set<() => void>();

/** What has to be ended before the session is; answers how to take it back. */
export function beforeSignOut(farewell: () => void): () => void {
  farewells.add(farewell);
  return () => farewells.delete(farewell);
}

/** Ends the session and goes to the login. A session that is already over is signed out as well. */
export async function signOut(): Promise<void> {
  for (const farewell of farewells) farewell();
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
