import { LogOut } from "lucide-react";
import { useState } from "react";
import { signOut } from "../../api/calls/sign-out.ts";
import { useOnce } from "../../runtime/once.ts";
import { Button } from "../../ui/button.tsx";

/** In the header; on phones an icon with a name. */
export function LogoutButton() {
  const { busy, press } = useSignOut();
  return (
    <Button variant="ghost" icon={<LogOut aria-hidden size={16} />} busy={busy} onClick={press}>
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  );
}

/** In the Menu drawer. */
export function SignOutRow() {
  const { busy, press } = useSignOut();
  return (
    <Button
      variant="ghost"
      size="large"
      wide
      icon={<LogOut aria-hidden size={20} />}
      busy={busy}
      onClick={press}
      className="justify-start! gap-3! px-3! text-danger-text!"
    >
      Sign Out
    </Button>
  );
}

function useSignOut() {
  const [busy, setBusy] = useState(false);
  const { start } = useOnce(async () => {
    setBusy(true);
    await signOut();
    setBusy(false);
  });
  return { busy, press: () => void start().catch(() => {}) };
}
