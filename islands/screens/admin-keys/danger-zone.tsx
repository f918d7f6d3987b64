import { RotateCcw, TriangleAlert } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";

export function DangerZone({ onReset }: { onReset: () => void }) {
  return (
    <Card danger className="mb-4">
      <CardHeading
        danger
        icon={<TriangleAlert size={20} />}
        title="Danger Zone"
        description={
          <span className="block max-w-xl">
            Resetting removes every device from every key, of admins and resellers. The keys stay as they are. It cannot
            be undone.
          </span>
        }
        actions={
          <Button variant="danger-quiet" className="max-md:w-full" icon={<RotateCcw size={16} />} onClick={onReset}>
            RESET ALL KEYS
          </Button>
        }
      />
    </Card>
  );
}
