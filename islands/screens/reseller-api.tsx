import { verifyCall } from "../../src/reference/verify-call.ts";
import { CallReference } from "../reference/call-reference.tsx";
import { PlaceholderNote } from "../reference/placeholder-note.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { IntegrationGuide } from "./reseller-api/integration-guide.tsx";

/** /reseller/api (rules.md: Reseller API page). */
export default function ResellerApiScreen() {
  return (
    <>
      <PageHeading
        title="API Documentation"
        description="How a game asks whether one of your keys is good. The call needs no login."
      />
      <PlaceholderNote />
      <CallReference call={verifyCall} givesVerdict />
      <IntegrationGuide />
    </>
  );
}
