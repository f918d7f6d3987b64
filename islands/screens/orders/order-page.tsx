import { ListOrdered } from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { NoteForm } from "../../../src/core/field.ts";
import { ApiFailure, failureText } from "../../api/api.ts";
import { countText, creditsWithUnit } from "../../format.ts";
import { NoteFact } from "../../forms/note-fact.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Fact } from "../../ui/fact.tsx";
import { PageHeading, type PageHeadingProps } from "../../ui/page-heading.tsx";
import { Time } from "../../ui/time.tsx";
import type { OpenedOrder } from "./opened-order.ts";
import { OrderKeys } from "./order-keys.tsx";
import { eachKeyText } from "./words.ts";

/** What the page needs of the query that brings the order. */
interface Opening {
  data: OpenedOrder | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
}

interface OrderPageProps {
  id: string;
  /** Whose pages its keys are opened in. */
  area: Role;
  opening: Opening;
  back: PageHeadingProps["back"];
  /** What its viewer wants to know beside what every order has. */
  facts?: ReactNode;
  /** Left out where the note is somebody else's to write. */
  note?: (form: NoteForm) => Promise<unknown>;
  /** Revokes the unused keys, as many as was said. */
  revokeUnused: (count: number) => Promise<unknown>;
  /** What was kept of the order and its keys is not as it was. */
  onChanged: () => void;
}

/** An order with its keys as they are now (rules.md: Orders pages). */
export function OrderPage(props: OrderPageProps) {
  const { id, area, opening, back, onChanged, revokeUnused } = props;
  const { data: order, error } = opening;
  return (
    <>
      <PageHeading
        title={`Order ${id}`}
        description="The keys that were generated at once, as they are now."
        back={back}
      />
      {error && !order ? (
        <Card>
          <NotOpened {...opening} error={error} />
        </Card>
      ) : (
        <>
          <Facts {...props} order={order} />
          <OrderKeys area={area} order={order} revokeUnused={revokeUnused} onChanged={onChanged} />
        </>
      )}
    </>
  );
}

function NotOpened({ error, isFetching, refetch }: Opening & { error: Error }) {
  if (error instanceof ApiFailure && error.status === 404) {
    return (
      <EmptyState
        icon={<ListOrdered size={20} />}
        title="There is no such order."
        hint="The address names an order that does not exist, or that is somebody else's."
      />
    );
  }
  const message = failureText(error, "The order could not be loaded.");
  return <ErrorState message={message} onRetry={() => void refetch()} retrying={isFetching} />;
}

function Facts({ id, order, facts, note, onChanged }: OrderPageProps & { order: OpenedOrder | undefined }) {
  return (
    <Card className="mb-4 p-4 md:px-5">
      <dl className="grid grid-cols-2 gap-4 md:grid-cols-4">
        <Fact name="Ordered">{order && <Time value={order.at} format="instant" />}</Fact>
        <Fact name="Game">{order?.game}</Fact>
        <Fact name="Keys">{order && countText(order.count)}</Fact>
        <Fact name="Each key">{order && eachKeyText(order)}</Fact>
        <Fact name="Expires">{order && <Time value={order.keys[0]?.expiryDate} />}</Fact>
        <Fact name="Cost">{order && (order.cost === 0 ? "Nothing" : creditsWithUnit(order.cost))}</Fact>
        {facts}
        <NoteFact note={order?.note} about={`Order ${id}`} save={note} onSaved={onChanged} />
      </dl>
    </Card>
  );
}
