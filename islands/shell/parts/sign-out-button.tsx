import { useState } from "react";
import { signOut } from "../../api/calls/sign-out.ts";
import { useOnce } from "../../runtime/once.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";

/** In the header and in the Menu drawer. */
export function SignOutButton(props: ButtonProps) {
  const [busy, setBusy] = useState(false);
  const { start } = useOnce(async () => {
    setBusy(true);
    await signOut();
    setBusy(false);
  });
  return <Button {...props} variant="ghost" busy={busy} onClick={() => void start().catch(() => {})} />;
}
