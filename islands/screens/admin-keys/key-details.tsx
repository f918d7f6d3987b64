import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, Ban } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { keyQuery } from "../../api/calls/admin-keys.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { AnyKey } from "../keys/life/any-key.tsx";

interface KeyDetailsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The key as the list has it: shown until its details have come. */
  listed: AdminKey;
  onRevoke: (key: AdminKey) => void;
}

export default function KeyDetails({ open, onOpenChange, listed, onRevoke }: KeyDetailsProps) {
  const { data } = useQuery({ ...keyQuery(listed.id), enabled: open });
  const key = data ?? listed;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Key Details"
      width="wide"
      footer={
        <>
          <LinkButton href={`/admin/keys/${key.id}`} icon={<ArrowUpRight aria-hidden size={16} />}>
            Open its page
          </LinkButton>
          {!key.isRevoked && (
            <Button variant="danger-quiet" icon={<Ban aria-hidden size={16} />} onClick={() => onRevoke(key)}>
              Revoke Key
            </Button>
          )}
          <Button onClick={() => onOpenChange(false)}>Close</Button>
        </>
      }
    >
      <AnyKey id={listed.id} listed={listed} asked={open} />
    </Dialog>
  );
}
