import { Radio } from "lucide-react";
import { publishedPath } from "../../api/calls/updates.ts";
import { CopyButton } from "../../ui/copy-button.tsx";

/** The box that notes how apps get what stands on this page (rules.md: Online Updates page). */
export function PublicCall() {
  return (
    <aside
      aria-label="How apps fetch updates"
      className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-card py-1.5 pr-2 pl-4 md:pl-5"
    >
      <Radio aria-hidden size={18} className="shrink-0 text-muted" />
      <p className="min-w-0 grow py-1.5 text-muted">
        Apps fetch active updates with <code className="key-text whitespace-nowrap text-text">GET {publishedPath}</code>
        , newest first.
      </p>
      {/* Its tip ends with it: in the middle under it the tip would make the page wider than a phone. */}
      <CopyButton
        iconOnly
        label="Copy address"
        variant="ghost"
        className="after:end-0 after:translate-none"
        text={() => `${window.location.origin}${publishedPath}`}
      />
    </aside>
  );
}
