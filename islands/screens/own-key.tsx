import { Card, CardBody } from "../ui/card.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { OwnKey as KeyItself } from "./keys/life/own-key.tsx";

/** /reseller/keys/{id} (rules.md: Key pages). `id` is the one in the address. */
export default function OwnKey({ id }: { id: string }) {
  return (
    <>
      <PageHeading
        title="Key"
        description="Whether it works, where it is in use, and what happened to it."
        back={{ href: "/reseller/keys", label: "Manage Keys" }}
      />
      <Card>
        <CardBody className="pt-4 md:pt-5">
          <KeyItself id={id} />
        </CardBody>
      </Card>
    </>
  );
}
