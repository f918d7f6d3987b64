import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";

/** Placeholder for one line of text, exactly as high as that line. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden className="flex h-5 items-center">
      <span className={clsx("block h-3 max-w-full animate-breathe rounded-sm bg-line", className ?? "w-24")} />
    </span>
  );
}

/** Placeholders for cards, each as high as the real ones. */
export function SkeletonCards({
  count,
  label,
  className = "h-32",
}: {
  count: number;
  label: string;
  className?: string;
}) {
  return (
    <div role="status" aria-label={label} className="contents">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards are alike and never change places.
        <div key={index} className={clsx("animate-breathe rounded-lg border border-line bg-card", className)} />
      ))}
    </div>
  );
}

/** Always next to words that say what is going on. */
export function SpinnerIcon({ size = 16 }: { size?: number }) {
  return <LoaderCircle className="animate-turn" size={size} />;
}

/** Shown on a protected page while the session loads (rules.md: Pages), over the skeletons, and while a script loads. */
export function FullScreenSpinner({ look = "" }: { look?: string }) {
  return (
    <div role="status" className={`fixed inset-0 z-50 grid place-content-center ${look}`}>
      <span className="flex items-center gap-3 rounded-lg border border-edge bg-overlay px-4 py-3 lifted">
        <SpinnerIcon size={20} />
        Loading...
      </span>
    </div>
  );
}
