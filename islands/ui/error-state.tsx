import { RotateCw, TriangleAlert } from "lucide-react";
import { Button } from "./button.tsx";

/** Something could not be loaded: what was said about it, and another try. */
export function ErrorState({
  message,
  onRetry,
  retrying = false,
}: {
  message: string;
  onRetry: () => void;
  retrying?: boolean;
}) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-11 place-items-center rounded-lg border border-danger-line bg-danger-soft text-danger-text"
      >
        <TriangleAlert size={20} />
      </span>
      <p className="max-w-md font-medium">{message}</p>
      <div className="mt-5">
        <Button icon={<RotateCw aria-hidden size={16} />} busy={retrying} onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  );
}
