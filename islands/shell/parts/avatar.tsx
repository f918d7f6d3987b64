import { clsx } from "clsx";

/** The initial stands for a picture; the name itself stands beside it. */
export function Avatar({ username, className }: { username: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx(
        "grid size-8 shrink-0 place-items-center rounded-full border border-edge bg-raised font-semibold",
        className,
      )}
    >
      {username.charAt(0).toUpperCase()}
    </span>
  );
}
