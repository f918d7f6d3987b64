import { cva } from "class-variance-authority";
import type { ReactNode } from "react";

const look = cva(
  "inline-flex h-5.5 items-center gap-1.5 rounded-full border px-2 text-xs font-medium whitespace-nowrap",
  {
    variants: {
      tone: {
        active: "border-active/25 bg-active/10 text-active",
        expired: "border-expired/25 bg-expired/10 text-expired",
        revoked: "border-revoked/25 bg-revoked/10 text-revoked",
        other: "border-other/25 bg-other/10 text-other",
        brass: "border-brass/30 bg-brass-soft text-brass-bright",
        plain: "border-line bg-raised text-muted",
      },
    },
  },
);

export type Tone = "active" | "expired" | "revoked" | "other" | "brass" | "plain";

/** A word in its colour. The dot is for the eye; the word always says it too. */
export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={look({ tone })}>
      {dot && <span aria-hidden className="size-1.5 rounded-full bg-current list-narrow:hidden" />}
      {children}
    </span>
  );
}

const toneOfKeyStatus: Record<string, Tone> = { ACTIVE: "active", EXPIRED: "expired", REVOKED: "revoked" };

/** Section 4: ACTIVE green, EXPIRED red, REVOKED gray, any other blue. */
export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={toneOfKeyStatus[status] ?? "other"} dot>
      {status}
    </Badge>
  );
}

export function ResellerBadge({ isActive }: { isActive: boolean }) {
  return (
    <Badge tone={isActive ? "active" : "expired"} dot>
      {isActive ? "Active" : "Suspended"}
    </Badge>
  );
}

export function TokenBadge({ isUsed }: { isUsed: boolean }) {
  return (
    <Badge tone={isUsed ? "revoked" : "active"} dot>
      {isUsed ? "Used" : "Available"}
    </Badge>
  );
}

export function UpdateBadge({ isActive }: { isActive: boolean }) {
  return (
    <Badge tone={isActive ? "active" : "revoked"} dot>
      {isActive ? "Active" : "Inactive"}
    </Badge>
  );
}

export function RoleBadge({ role }: { role: "admin" | "reseller" }) {
  return <Badge tone={role === "admin" ? "brass" : "plain"}>{role === "admin" ? "Admin" : "Reseller"}</Badge>;
}

/** Section 2: the type of a backup collection, by the first word that its name contains. */
const collectionTypes = [
  ["admin", "Admin"],
  ["token", "Tokens"],
  ["device", "Devices"],
  ["keys", "Keys"],
  ["reseller", "Resellers"],
] as const;

export function collectionType(name: string): string {
  const lowerName = name.toLowerCase();
  return collectionTypes.find(([part]) => lowerName.includes(part))?.[1] ?? "User Data";
}

export function CollectionBadge({ name }: { name: string }) {
  return <Badge tone="plain">{collectionType(name)}</Badge>;
}
