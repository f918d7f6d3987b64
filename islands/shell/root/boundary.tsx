import { Component, type ReactNode, useEffect } from "react";
import { Button } from "../../ui/button.tsx";

interface BoundaryProps {
  /** Called once, when everything inside is ready or has failed. */
  onReady?: () => void;
  children: ReactNode;
}

/** Around every island: a failure is shown in its place, and the rest of the page keeps working. */
export function Boundary({ onReady, children }: BoundaryProps) {
  // An effect, because inner effects run first: at componentDidMount the listeners of the island are not attached yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once, even if another function is passed later.
  useEffect(() => {
    onReady?.();
  }, []);
  return <Catching>{children}</Catching>;
}

class Catching extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 p-3 text-sm text-muted">
        This part of the page stopped working.
        <Button size="small" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    );
  }
}
