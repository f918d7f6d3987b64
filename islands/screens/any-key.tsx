import { Card, CardBody } from "../ui/card.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { AnyKey as KeyItself } from "./keys/life/any-key.tsx";

/** /admin/keys/{id} (rules.md: Key pages). `id` is the one in the address. */
export default function AnyKey({ id }: { id: string }) {
  return (
    <>
      <PageHeading
        title="Key"
        description="Whether it works, whose it is, and what happened to it."
        back={{ href: "/admin/create-keys?tab=manage", label: "Key Management" }}
      />
      <Card>
        <CardBody className="pt-4 md:pt-5">
          <KeyItself id={id} />
        </CardBody>
      </Card>
    </>
  );
}
