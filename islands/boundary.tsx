import { Component, type ReactNode } from "react";
import { Button } from "./ui/button.tsx";

interface BoundaryProps {
  /** Told once, when everything inside can be used. */
  onReady?: () => void;
  children: ReactNode;
}

/** Around every island: when one fails, it says so in its own place, and the rest of the page lives on. */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidMount() {
    this.props.onReady?.();
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
