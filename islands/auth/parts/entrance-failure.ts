import { ApiFailure } from "../../api/api.ts";
import { showToast } from "../../ui/toast/store.ts";
import { startErrorSound } from "./error-sound.ts";

/** What one of the two forms says (rules.md: Login page). */
export interface FailureWords {
  /** Before the colon of the alert. */
  alert: string;
  toast: string;
  withoutMessage: string;
  notJson: string;
  unreachable: string;
}

export const loginWords: FailureWords = {
  alert: "LOGIN ERROR",
  toast: "Login Failed",
  withoutMessage: "Login failed",
  notJson: "Login failed - Invalid credentials",
  unreachable: "Failed to login",
};

export const registrationWords: FailureWords = {
  alert: "REGISTRATION ERROR",
  toast: "Registration Failed",
  withoutMessage: "Registration failed",
  notJson: "Registration failed - Please try again",
  unreachable: "Failed to register",
};

/** The sound, the browser's own blocking alert, and the toast that stands when the alert is dismissed (rules.md: Login page). */
export async function sayEntranceFailure(error: unknown, words: FailureWords): Promise<void> {
  const message = messageOf(error, words);
  await startErrorSound();
  window.alert(`${words.alert}: ${message}`);
  showToast({ title: words.toast, description: message, style: "destructive" });
}

function messageOf(error: unknown, words: FailureWords): string {
  if (!(error instanceof ApiFailure)) return words.unreachable;
  if (error.answer === "sentence") return error.message;
  if (error.answer === "json") return words.withoutMessage;
  return error.answer === "other" ? words.notJson : words.unreachable;
}
