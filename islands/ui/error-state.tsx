import { useSignals } from "@preact/signals-react/runtime";
import { RotateCw, TriangleAlert } from "lucide-react";
import { sessionLost } from "../signals.ts";
import { Button, LinkButton } from "./button.tsx";

/** Something could not be loaded: what was said about it, another try, and the login where it takes one. */
export function ErrorState({
  message,
  onRetry,
  retrying = false,
}: {
  message: string;
  onRetry: () => void;
  retrying?: boolean;
}) {
  useSignals();
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-11 place-items-center rounded-lg border border-danger-line bg-danger-soft text-danger-text"
      >
        <TriangleAlert size={20} />
      </span>
      <p className="max-w-md font-medium">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        {/* The notice that says so may lie behind the dialog that this stands in. */}
        {sessionLost.value && (
          <LinkButton href="/" variant="primary">
            Log in again
          </LinkButton>
        )}
        <Button icon={<RotateCw aria-hidden size={16} />} busy={retrying} onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  );
}
