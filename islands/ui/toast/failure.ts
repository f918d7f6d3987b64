import { failureText } from "../../server/api.ts";
import { showToast } from "./store.ts";

/** Section 8's error toast: the server's sentence when there is one, else the screen's own words. */
export function sayFailure(error: unknown, fallback: string): void {
  showToast({ title: "Error", description: failureText(error, fallback), style: "destructive" });
}
