import { Badge, type Tone } from "../ui/badge.tsx";

const toneOfStatus: Record<string, Tone> = { ACTIVE: "active", EXPIRED: "expired", REVOKED: "revoked" };

/** Section 4: ACTIVE green, EXPIRED red, REVOKED gray, any other blue. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={toneOfStatus[status] ?? "other"} dot>
      {status}
    </Badge>
  );
}
