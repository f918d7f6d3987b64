import { showToast } from "../ui/toast/store.ts";
import { failureText } from "./api.ts";

/** The error toast: the server's sentence when there is one, else the screen's own words (rules.md: Toasts). */
export function sayFailure(error: unknown, fallback: string): void {
  showToast({ title: "Error", description: failureText(error, fallback), style: "destructive" });
}
