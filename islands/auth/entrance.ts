import type { Role } from "../../src/accounts/schema.ts";
import { lastRoleCookie } from "../../src/pages/cookies.ts";
import { panelPaths, roleOf } from "../../src/pages/page.ts";
import { ApiFailure } from "../api/api.ts";
import { attempt, keepInCookie } from "../runtime/storage.ts";
import { showToast } from "../ui/toast/store.ts";

const words = {
  login: {
    alert: "LOGIN ERROR",
    toast: "Login Failed",
    withoutMessage: "Login failed",
    notJson: "Login failed - Invalid credentials",
    unreachable: "Failed to login",
  },
  registration: {
    alert: "REGISTRATION ERROR",
    toast: "Registration Failed",
    withoutMessage: "Registration failed",
    notJson: "Registration failed - Please try again",
    unreachable: "Failed to register",
  },
};

/**
 * The sound, the browser's own blocking alert, and the toast that remains when the alert is dismissed
 * (rules.md: Login page).
 */
export async function reportEntranceFailure(error: unknown, form: keyof typeof words): Promise<void> {
  const { alert, toast } = words[form];
  const message = messageOf(error, words[form]);
  await startErrorSound();
  window.alert(`${alert}: ${message}`);
  showToast({ title: toast, description: message, style: "destructive" });
}

function messageOf(error: unknown, { withoutMessage, notJson, unreachable }: (typeof words)["login"]): string {
  if (!(error instanceof ApiFailure)) return unreachable;
  const messages = { sentence: error.message, json: withoutMessage, other: notJson, nothing: unreachable };
  return messages[error.response];
}

const errorSoundVolume = 0.7;
const startMsMax = 300;

/**
 * Starts our short tone. Waits until it sounds, because the blocking alert that follows would hold it back, but never
 * for long, and never fails: a browser that refuses to play must not stop the alert and the toast.
 */
async function startErrorSound(): Promise<void> {
  try {
    const sound = new Audio("/error.wav");
    sound.volume = errorSoundVolume;
    await Promise.race([sound.play(), new Promise((resolve) => setTimeout(resolve, startMsMax))]);
  } catch {
    // Refused, or there is nothing to play it with.
  }
}

/**
 * On a computer the first empty field takes the focus, unless something else has it already. On a phone the focus would
 * bring up the keyboard over a page that has not been read.
 */
export function focusFirstEmptyField(form: HTMLFormElement | null): void {
  const isAtDesk = window.matchMedia("(hover: hover) and (pointer: fine)").matches;
  if (!form || !isAtDesk || document.activeElement !== document.body) return;
  const fields = [...form.querySelectorAll("input")];
  (fields.find(({ value }) => value === "") ?? fields[0])?.focus({ preventScroll: true });
}

const registeredNameKey = "registered-name";

/** Keeps the name of a new account for the login that follows, in this tab (rules.md: Registering). */
export function keepRegisteredName(username: string): void {
  attempt(() => sessionStorage.setItem(registeredNameKey, username));
}

/** Returns the name that was handed over, once. */
export function takeRegisteredName(): string | null {
  const name = attempt(() => sessionStorage.getItem(registeredNameKey));
  attempt(() => sessionStorage.removeItem(registeredNameKey));
  return name ?? null;
}

const targetKey = "to";

/** Keeps the page that led to the login, `/#to=`, for the next sign-in in this tab (rules.md: Pages). */
export function keepTarget(): void {
  const [, target] = window.location.hash.match(/^#to=(.+)/) ?? [];
  if (target) attempt(() => sessionStorage.setItem(targetKey, decodeURIComponent(target)));
}

/** Returns the address that was kept, once, if it is a page of this role. */
export function takeTarget(role: Role): string | null {
  const target = attempt(() => sessionStorage.getItem(targetKey)) ?? "";
  attempt(() => sessionStorage.removeItem(targetKey));
  const url = URL.parse(target, window.location.origin);
  if (url?.origin !== window.location.origin) return null;
  const isHere = (path: string) =>
    roleOf(path) === role && new RegExp(`^${path.replace(":id", "\\d+")}$`).test(url.pathname);
  return Object.keys(panelPaths).some(isHere) ? url.pathname + url.search : null;
}

/** Never resolves, so that the waiting form stays busy until the next page is there. */
export function navigateTo(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => {});
}

/** The next login in this browser opens on the tab of this one, and a new reseller's first login on theirs. */
export function rememberRole(role: Role): void {
  keepInCookie(lastRoleCookie, role);
}
