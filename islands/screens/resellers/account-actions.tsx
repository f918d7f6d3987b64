import { Ban, CircleCheck, LogOut, RectangleEllipsis } from "lucide-react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { Button } from "../../ui/button.tsx";
import { useStatusChange } from "./changes.ts";
import type { ResellerDialogProps } from "./dialogs.tsx";

interface AccountActionsProps {
  /** Undefined while it is loaded. */
  reseller: Reseller | undefined;
  open: (action: ResellerDialogProps["action"]) => void;
}

/** What an admin can do to a reseller's account. The button with two labels is the last, so that it moves no other. */
export function AccountActions({ reseller, open }: AccountActionsProps) {
  const { mutate: activate, isPending, isHeld } = useStatusChange();
  const shared = { size: "small", disabled: !reseller, className: "max-md:not-aria-busy:[&_svg]:hidden" } as const;
  const isSuspended = reseller?.isActive === false;
  function changeStatus() {
    if (isSuspended) activate(reseller);
    // The second press of a double click on Activate would land on Suspend.
    else if (!isHeld()) open("suspension");
  }
  return (
    <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
      <Button {...shared} icon={<RectangleEllipsis size={16} />} onClick={() => open("password")}>
        Reset Password
      </Button>
      <Button {...shared} icon={<LogOut size={16} />} onClick={() => open("sessions")}>
        End Sessions
      </Button>
      <Button
        {...shared}
        variant={reseller?.isActive ? "danger-quiet" : "secondary"}
        icon={isSuspended ? <CircleCheck size={16} /> : <Ban size={16} />}
        busy={isPending}
        onClick={changeStatus}
      >
        {isSuspended ? "Activate" : "Suspend"}
      </Button>
    </div>
  );
}
