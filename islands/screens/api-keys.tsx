import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useMemo } from "react";
import type { ApiKey } from "../../src/accounts/api-keys/api-key-schema.ts";
import type { Role } from "../../src/accounts/schema.ts";
import { failureText } from "../api/api.ts";
import { apiKeyCalls } from "../api/calls/account.ts";
import { usePreload } from "../runtime/preload.ts";
import { Button } from "../ui/button.tsx";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { apiKeyColumns } from "./api-keys/columns.tsx";

const NewApiKey = lazyDialog(() => import("./api-keys/new-api-key.tsx"));
const DeleteApiKey = lazyDialog(() => import("./api-keys/delete-api-key.tsx"));

const loadParts = () => Promise.all([NewApiKey.load(), DeleteApiKey.load()]);

/** /admin/api-keys and /reseller/api-keys: what programs may do for the account (rules.md: API keys). */
export default function ApiKeys({ area }: { area: Role }) {
  const query = useQuery(apiKeyCalls[area].query);
  /** Each starts from the beginning, in a new dialog. */
  const creation = useDialog<{ nth: number }>();
  const deletion = useDialog<{ apiKey: ApiKey }>();
  const { show } = deletion;
  const columns = useMemo(() => apiKeyColumns((apiKey) => show({ apiKey })), [show]);
  usePreload(loadParts);
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
            onClick={() => creation.show({ nth: (creation.dialog?.nth ?? 0) + 1 })}
          >
            New API Key
          </Button>
        }
      />
      <DataTable
        rows={query.data ?? []}
        state={query.data ? "ready" : query.isError ? "error" : "loading"}
        onRetry={() => void query.refetch()}
        errorMessage={failureText(query.error, "The API keys could not be loaded.")}
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
      {creation.dialog && <NewApiKey key={creation.dialog.nth} {...creation.dialog} area={area} />}
      {deletion.dialog && <DeleteApiKey {...deletion.dialog} area={area} />}
    </>
  );
}
