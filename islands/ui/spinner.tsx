import { LoaderCircle } from "lucide-react";

/** Turns beside words that say what is going on; alone it would say nothing. */
export function SpinnerIcon({ size = 16 }: { size?: number }) {
  return <LoaderCircle aria-hidden className="animate-turn" size={size} />;
}

/** What a protected page shows while the session loads (rules.md: Loading). */
export function FullScreenSpinner() {
  return (
    <div
      role="status"
      className="fixed inset-0 z-50 grid place-content-center justify-items-center gap-3 bg-page text-muted"
    >
      <span className="text-muted">
        <SpinnerIcon size={28} />
      </span>
      Loading...
    </div>
  );
}
