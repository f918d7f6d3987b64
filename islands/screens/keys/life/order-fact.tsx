import type { Role } from "../../../../src/accounts/schema.ts";
import { Fact } from "../../../ui/fact.tsx";
import { TextLink } from "../../../ui/text-link.tsx";

/** The order that a key was generated with, unless it is older than orders. */
export function OrderFact({ area, of: key }: { area: Role; of: { orderId: number | null } | undefined }) {
  return (
    <Fact name="Order">
      {key &&
        (key.orderId === null ? "–" : <TextLink href={`/${area}/orders/${key.orderId}`}>Order {key.orderId}</TextLink>)}
    </Fact>
  );
}
