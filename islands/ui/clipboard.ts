/**
 * Puts text on the clipboard, and answers whether it is there. Browsers offer `navigator.clipboard` on https and localhost only;
 * a panel on plain http in a local network copies through a hidden field instead.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, as in a page without focus: the field below may still be allowed.
  }
  return copyThroughField(text);
}

function copyThroughField(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position:fixed;top:0;left:-9999px";
  // Inside an open dialog, which would take the focus back from anything outside it.
  (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
