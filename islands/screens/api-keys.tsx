import { KeyRound } from "lucide-react";
import { useMemo } from "react";
import type { ApiKey } from "../../src/accounts/api-keys/api-key-schema.ts";
import type { Role } from "../../src/accounts/schema.ts";
import { apiKeyCalls } from "../api/calls/account.ts";
import { ShortList } from "../api/short-list.tsx";
import { usePreload } from "../runtime/preload.ts";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { apiKeyColumns } from "./api-keys/columns.tsx";

const ApiKeyDialog = lazyDialog(() => import("./api-keys/dialogs.tsx"));

/** /admin/api-keys and /reseller/api-keys: what programs may do for the account (rules.md: API keys). */
export default function ApiKeys({ area, username }: { area: Role; username: string }) {
  const { dialog, show } = useDialog<{ apiKey: ApiKey | null }>();
  const columns = useMemo(() => apiKeyColumns((apiKey) => show({ apiKey })), [show]);
  usePreload(ApiKeyDialog.load);
  return (
    <>
      <ShortList
        area={area}
        title="API Keys"
        description="Programs use them to act for your account, within the limits you set."
        query={apiKeyCalls(area).query}
        columns={columns}
        rows="API keys"
        empty={{
          icon: <KeyRound size={20} />,
          title: "No API keys yet",
          hint: "Create one for a shop, a bot or your game's server.",
        }}
        add="New API Key"
        onAdd={() => show({ apiKey: null })}
      />
      {dialog && <ApiKeyDialog key={dialog.nth} {...dialog} area={area} username={username} />}
    </>
  );
}
