import { Info } from "lucide-react";
import { SwitchField } from "../../ui/field/field.tsx";
import type { Reading } from "./use-reading.ts";

/** What every example leaves to whoever copies it (rules.md: Admin API page), and the switch that does the half of it. */
export function AddressNote({ reading: { isOurs, setOurs, address } }: { reading: Reading }) {
  const named = <code className="key-text break-all text-brass-bright">{address}</code>;
  return (
    <div className="mb-6 flex gap-3 rounded-lg border border-edge bg-raised p-4">
      <Info aria-hidden size={18} className="mt-0.5 shrink-0 text-muted" />
      <div className="min-w-0 grow">
        <p role="note">
          {isOurs ? (
            <>The examples have the address of this server, {named}. Implement error handling and retry.</>
          ) : (
            <>Replace {named} with your real API endpoint, and implement error handling and retry.</>
          )}
        </p>
        <SwitchField
          label="Use this server’s address"
          checked={isOurs}
          onChange={({ target }) => setOurs(target.checked)}
          className="needs-script mt-2"
        />
      </div>
    </div>
  );
}
