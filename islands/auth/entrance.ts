import { ApiFailure } from "../api/api.ts";
import { showToast } from "../ui/toast/store.ts";

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

const errorSoundVolume = 0.7;
const startMsMax = 300;

/**
 * Starts our short tone. Waits until it sounds, because the blocking alert that follows would hold it back, but never for long, and
 * never fails: a browser that refuses to play must not stop the alert and the toast.
 */
export async function startErrorSound(): Promise<void> {
  try {
    const sound = new Audio("/error.wav");
    sound.volume = errorSoundVolume;
    await Promise.race([sound.play(), new Promise((resolve) => setTimeout(resolve, startMsMax))]);
  } catch {
    // Refused, or there is nothing to play it with.
  }
}

/**
 * Where there is a keyboard, one types at once: the first empty field takes the focus, unless something else has it already. On a phone the
 * focus would bring up the keyboard over a page that nobody has read.
 */
export function beginTyping(form: HTMLFormElement | null): void {
  const isAtDesk = window.matchMedia("(hover: hover) and (pointer: fine)").matches;
  if (!form || !isAtDesk || document.activeElement !== document.body) return;
  const fields = [...form.querySelectorAll("input")];
  (fields.find(({ value }) => value === "") ?? fields[0])?.focus({ preventScroll: true });
}

const handedName = "registered-name";

/** Keeps the name of a new account for the login that follows, in this tab (rules.md: Registering). */
export function handNameOver(username: string): void {
  attempt(() => sessionStorage.setItem(handedName, username));
}

/** The name that was handed over, once. */
export function takeHandedName(): string | null {
  const name = attempt(() => sessionStorage.getItem(handedName));
  attempt(() => sessionStorage.removeItem(handedName));
  return name ?? null;
}

/** In a browser that keeps nothing the name is typed again. */
function attempt<Answer>(act: () => Answer): Answer | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Is never done, so that the form that waits for it stays busy until the next page is there. */
export function goTo(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => {});
}
