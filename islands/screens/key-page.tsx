import type { Role } from "../../src/accounts/schema.ts";
import { Card, CardBody } from "../ui/card.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { KeyView } from "./keys/life/key-view.tsx";

const headings = {
  admin: {
    description: "Whether it works, whose it is, and what happened to it.",
    back: { href: "/admin/create-keys?tab=manage", label: "Key Management" },
  },
  reseller: {
    description: "Whether it works, where it is in use, and what happened to it.",
    back: { href: "/reseller/keys", label: "Manage Keys" },
  },
};

/** /admin/keys/{id} and /reseller/keys/{id} (rules.md: Key lists). `id` comes from the address. */
export default function KeyPage({ area, id }: { area: Role; id: string }) {
  return (
    <>
      <PageHeading title="Key" {...headings[area]} />
      <Card>
        <CardBody className="pt-4 md:pt-5">
          <KeyView area={area} id={id} />
        </CardBody>
      </Card>
    </>
  );
}
