import type { Language } from "../../src/reference/languages.ts";
import { verifyCall } from "../../src/reference/verify-call.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { CallReference } from "./reference/call-reference.tsx";
import { IntegrationGuide } from "./reference/integration-guide.tsx";
import { AddressNote, useReading } from "./reference/reading.tsx";
import { KeyTrial } from "./reference/trials.tsx";

/** /reseller/api (rules.md: Reseller API page). */
export default function ResellerApiScreen({ language }: { language: Language }) {
  const reading = useReading(language);
  return (
    <>
      <PageHeading
        title="API Documentation"
        description="How a game asks whether one of your keys is good. The call needs no login."
      />
      <AddressNote reading={reading} />
      <CallReference call={verifyCall} givesVerdict reading={reading} trial={<KeyTrial />} />
      <IntegrationGuide />
    </>
  );
}
