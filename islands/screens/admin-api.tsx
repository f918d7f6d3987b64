import { previewCall } from "../../src/reference/preview-call.ts";
import { updatesCall } from "../../src/reference/updates-call.ts";
import { verifyCall } from "../../src/reference/verify-call.ts";
import { CallReference } from "../reference/call-reference.tsx";
import { PlaceholderNote } from "../reference/placeholder-note.tsx";
import { useUrlState } from "../state/url-state.ts";
import { LinkButton } from "../ui/button.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Tabs } from "../ui/tabs.tsx";

const defaults = { tab: "post" };

const documented = [
  { id: "post", label: "POST Method", call: verifyCall, givesVerdict: true },
  { id: "get", label: "GET Method", call: previewCall, givesVerdict: true },
  { id: "updates", label: "Online Updates", call: updatesCall, givesVerdict: false },
];

/** /admin/api (rules.md: Admin API page). The tab stands in the address, so that the server can show each of them to who has no JavaScript. */
export default function AdminApiScreen({ search }: { search: string }) {
  const { values, change } = useUrlState(defaults, search);
  return (
    <>
      <PageHeading
        title="API Documentation"
        description="The calls that game clients make. They need no login and answer any origin."
        actions={<LinkButton href="/swagger">All calls in Swagger</LinkButton>}
      />
      <PlaceholderNote />
      <TabsWithoutScript />
      <Tabs
        label="Calls"
        tabs={documented.map(({ id, label, call, givesVerdict }) => ({
          id,
          label,
          panel: <CallReference call={call} givesVerdict={givesVerdict} />,
        }))}
        selected={values.tab}
        onSelect={(tab) => change({ tab })}
      />
    </>
  );
}

function TabsWithoutScript() {
  return (
    <noscript>
      <nav aria-label="Calls" className="mb-4 flex flex-wrap gap-x-5 gap-y-2">
        {documented.map(({ id, label }) => (
          <a key={id} href={`?tab=${id}`} className="inline-flex min-h-(--hit-small) items-center underline">
            {label}
          </a>
        ))}
      </nav>
    </noscript>
  );
}
