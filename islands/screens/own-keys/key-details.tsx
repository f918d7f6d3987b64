import { ArrowUpRight } from "lucide-react";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { OwnKey } from "../keys/life/own-key.tsx";

interface KeyDetailsProps {
  open: boolean;
  /** As it stands in the address, and so whatever somebody typed there. */
  id: string;
  /** The key as the list has it: shown until its details have come. */
  listed: ResellerKey | undefined;
  onOpenChange: (open: boolean) => void;
}

export default function KeyDetails({ open, id, listed, onOpenChange }: KeyDetailsProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Key Details"
      footer={
        listed && (
          <LinkButton href={`/reseller/keys/${listed.id}`} icon={<ArrowUpRight aria-hidden size={16} />}>
            Open its page
          </LinkButton>
        )
      }
    >
      <OwnKey id={id} listed={listed} />
    </Dialog>
  );
}
