import { Share2 } from "lucide-react";
import { useHydrated } from "../runtime/hydration.ts";
import { Button } from "./button.tsx";
import { showToast } from "./toast/store.ts";

/** Whether this is a phone or tablet with a share sheet. Only the browser knows, so it is false until hydration. */
export function useCanShare(): boolean {
  const isHydrated = useHydrated();
  return isHydrated && "share" in navigator && window.matchMedia("(pointer: coarse)").matches;
}

interface ShareButtonProps {
  data: ShareData;
  /** The toast's sentence after a failure. */
  failed: string;
}

/** Opens the browser's share sheet. Rendered only where `useCanShare` is true. */
export function ShareButton({ data, failed }: ShareButtonProps) {
  async function share() {
    try {
      await navigator.share(data);
    } catch (error) {
      // The user closed the share sheet.
      if ((error as Error).name === "AbortError") return;
      showToast({ title: "Error", description: failed, style: "destructive" });
    }
  }
  return (
    <Button
      variant="primary"
      size="small"
      className="max-md:grow"
      icon={<Share2 size={16} />}
      onClick={() => void share()}
    >
      Share
    </Button>
  );
}
