import { showToast } from "../ui/toast/store.ts";
import { failureText } from "./api.ts";

/** Section 8's error toast: the server's sentence when there is one, else the screen's own words. */
export function sayFailure(error: unknown, fallback: string): void {
  showToast({ title: "Error", description: failureText(error, fallback), style: "destructive" });
}
