import { signal } from "@preact/signals-react";
import { attempt } from "../../runtime/storage.ts";

/** How long a toast is shown, and how long a dismissed one is kept. */
const toastDurationMs = 5_000;
const errorToastDurationMs = 10_000;
const toastRemoveMs = 5_000;
const carriedToastKey = "toast";

export interface ToastMessage {
  title: string;
  description?: string;
  style?: "default" | "destructive";
  /** Shown until it is dismissed. */
  persistent?: boolean;
  /** The description suffices: on a phone it is one line, without the title. */
  brief?: boolean;
  action?: { label: string; onPress: () => void };
}

export interface Toast extends ToastMessage {
  id: number;
  open: boolean;
}

/** How long the toast is shown; a persistent one stays until it is dismissed. */
export function durationMsOf({ style, persistent }: ToastMessage): number {
  if (persistent) return Number.POSITIVE_INFINITY;
  return style === "destructive" ? errorToastDurationMs : toastDurationMs;
}

/**
 * At most one toast at a time (rules.md: Toasts). Written in the browser only: on the server all users would share it.
 */
export const currentToast = signal<Toast | null>(null);

let lastId = 0;
let removal: ReturnType<typeof setTimeout> | undefined;

/** Shows a toast instead of the current one, and returns its id. */
export function showToast(message: ToastMessage): number {
  clearTimeout(removal);
  lastId += 1;
  currentToast.value = { ...message, id: lastId, open: true };
  return lastId;
}

/** Closes the toast now and removes it after 5000 ms, unless another has replaced it. */
export function dismissToast(id: number): void {
  const toast = currentToast.peek();
  if (toast?.id !== id || !toast.open) return;
  currentToast.value = { ...toast, open: false };
  removal = setTimeout(() => {
    if (currentToast.peek()?.id === id) currentToast.value = null;
  }, toastRemoveMs);
}

/** Shows the toast on the page that loads next: 'Logged in as admin successfully' has to outlive the login page. */
export function carryToast(message: Omit<ToastMessage, "action">): void {
  attempt(() => sessionStorage.setItem(carriedToastKey, JSON.stringify(message)));
}

/** Called once by the page that has loaded. */
export function showCarriedToast(): void {
  attempt(() => {
    const carried = sessionStorage.getItem(carriedToastKey);
    sessionStorage.removeItem(carriedToastKey);
    if (carried) showToast(JSON.parse(carried) as ToastMessage);
  });
}
