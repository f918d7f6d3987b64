import { useUrlState } from "../state/url-state.ts";
import { KeptFocus } from "../ui/focus.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { ImportResult } from "./import/import-result.tsx";
import { NewImport } from "./import/new-import.tsx";

/** The import that is shown. It is in the address, so that a reload shows it again. */
const defaults = { id: "" };

/** /admin/import (rules.md: Import page). */
export default function ImportScreen({ search }: { search: string }) {
  const { values, change } = useUrlState(defaults, search);
  return (
    <>
      <PageHeading
        title="Import Keys"
        description="Bring your keys from another panel, with their devices."
        back={{ href: "/admin/database-backup", label: "Database Backup" }}
      />
      <KeptFocus />
      {values.id === "" ? (
        <NewImport onStarted={(id) => change({ id: String(id) })} />
      ) : (
        <ImportResult id={values.id} onAnother={() => change({ id: "" })} />
      )}
    </>
  );
}
