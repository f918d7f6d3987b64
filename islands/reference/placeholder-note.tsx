import { Info } from "lucide-react";
import { placeholder } from "../../src/reference/call.ts";

/** What every example leaves to whoever copies it (rules.md: Admin API page). */
export function PlaceholderNote() {
  return (
    <div role="note" className="mb-6 flex gap-3 rounded-lg border border-edge bg-raised p-4">
      <Info aria-hidden size={18} className="mt-0.5 shrink-0 text-muted" />
      <p className="min-w-0">
        Replace <code className="key-text break-all text-brass-bright">{placeholder}</code> with your real API endpoint,
        and implement error handling and retry.
      </p>
    </div>
  );
}
