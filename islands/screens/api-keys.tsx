import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useMemo } from "react";
import type { ApiKey } from "../../src/accounts/api-keys/api-key-schema.ts";
import type { Role } from "../../src/accounts/schema.ts";
import { apiKeyCalls } from "../api/calls/account.ts";
import { wholeList } from "../api/query-failure.tsx";
import { usePreload } from "../runtime/preload.ts";
import { Button } from "../ui/button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { apiKeyColumns } from "./api-keys/columns.tsx";

const ApiKeyDialog = lazyDialog(() => import("./api-keys/dialogs.tsx"));

/** /admin/api-keys and /reseller/api-keys: what programs may do for the account (rules.md: API keys). */
export default function ApiKeys({ area, username }: { area: Role; username: string }) {
  const query = useQuery(apiKeyCalls(area).query);
  const { dialog, show } = useDialog<{ apiKey: ApiKey | null }>();
  const columns = useMemo(() => apiKeyColumns((apiKey) => show({ apiKey })), [show]);
  usePreload(ApiKeyDialog.load);
  return (
    <>
      <PageHeading
        title="API Keys"
        description="Programs use them to act for your account, within the limits you set."
        back={{ href: `/${area}/account`, label: "Account" }}
        actions={
          <Button
            variant="primary"
            icon={<Plus size={16} />}
            aria-haspopup="dialog"
            onClick={() => show({ apiKey: null })}
          >
            New API Key
          </Button>
        }
      />
      <DataTable
        {...wholeList(query, "The API keys could not be loaded.")}
        label="API keys"
        columns={columns}
        skeletonRows={2}
        empty={
          <EmptyState
            icon={<KeyRound size={20} />}
            title="No API keys yet"
            hint="Create one for a shop, a bot or your game's server."
          />
        }
      />
      {dialog && <ApiKeyDialog key={dialog.nth} {...dialog} area={area} username={username} />}
    </>
  );
}
