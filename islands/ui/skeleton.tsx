import { clsx } from "clsx";

/** Stands for one line of text that is on its way, and is exactly as high as that line. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden className="flex h-5 items-center">
      <span className={clsx("block h-3 max-w-full animate-breathe rounded-sm bg-line", className ?? "w-24")} />
    </span>
  );
}

/** Cards that are on their way, each as high as the ones that will come. */
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
