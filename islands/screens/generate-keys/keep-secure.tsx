import { ShieldCheck } from "lucide-react";

/** Section 2: the reminder beside new keys. */
export function KeepSecure() {
  return (
    <p className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-raised px-3 py-2.5">
      <ShieldCheck aria-hidden size={18} className="shrink-0 text-brass" />
      Keep your keys secure: whoever has a key can use it. Hand each one only to the player who paid for it.
    </p>
  );
}
