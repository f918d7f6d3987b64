import type { KeyStatus } from "../../../../src/keys/schema.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";

const tones: Record<KeyStatus, Tone> = {
  ACTIVE: "active",
  PAUSED: "other",
  EXPIRED: "expired",
  REVOKED: "revoked",
};

/** Every status that a key can have. */
export const keyStatuses = Object.keys(tones) as KeyStatus[];

/** Any other status is blue. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={tones[status as KeyStatus] ?? "other"} dot>
      {status}
    </Badge>
  );
}
