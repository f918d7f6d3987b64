import { useState } from "react";
import { signOut } from "../../api/calls/session.ts";
import { useOnce } from "../../runtime/once.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";

/** The initial replaces a picture; the name is next to it. */
export function Avatar({ username }: { username: string }) {
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-full border border-edge bg-raised font-semibold"
    >
      {username.charAt(0).toUpperCase()}
    </span>
  );
}

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
