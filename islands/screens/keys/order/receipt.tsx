import { type ReactNode, useEffect, useRef } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { deviceLimitText, fromFirstUseText, pluralText } from "../../../format.ts";
import { TextLink } from "../../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../../ui/card.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import { Time } from "../../../ui/time.tsx";
import { showToast, type ToastMessage } from "../../../ui/toast/store.ts";
import type { GeneratedKey } from "./batch.ts";
import { ExportKeys } from "./export-keys.tsx";

export interface ReceiptProps {
  keys: readonly GeneratedKey[];
  /** The area of the page of their order. */
  area: Role;
  orderId: number | null;
  /** The cost and the new balance, if they cost anything. */
  paid?: ReactNode;
  /** Shown when a single key is copied. */
  copiedToast: ToastMessage;
  note?: ReactNode;
  /** They have just been generated here: the receipt gets the focus, because it may be below the window. */
  fresh: boolean;
}

/** The generated keys, their cost, and every way to copy or save them. */
export default function Receipt({ keys, area, orderId, paid, copiedToast, note, fresh }: ReceiptProps) {
  const receipt = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focused once for each batch.
  useEffect(() => {
    if (fresh) receipt.current?.focus();
  }, [keys]);
  const [first] = keys;
  if (!first) return null;
  return (
    <Card
      ref={receipt}
      tabIndex={-1}
      aria-label="Generated Keys"
      className="mt-4 scroll-mt-20 md:mb-20 md:scroll-mb-30"
    >
      <CardHeading
        title="Generated Keys"
        description={
          <>
            {pluralText(keys.length, "key")} for {first.game}, {deviceLimitText(first.deviceLimit).toLowerCase()}{" "}
            {first.deviceLimit === 1 ? "device" : "devices"} each,{" "}
            {first.expiryDate === null ? (
              fromFirstUseText(first.durationHours)
            ) : (
              <>
                until <Time value={first.expiryDate} />
              </>
            )}
            <span className="figures block">
              {paid && <>{paid} · </>}
              {orderId !== null && <TextLink href={`/${area}/orders/${orderId}`}>Order {orderId}</TextLink>}
            </span>
          </>
        }
        actions={<ExportKeys keys={keys} />}
      />
      <CardBody>
        {note}
        <ol className="grid gap-2 md:grid-cols-2">
          {keys.map(({ id, keyString }) => (
            <li
              key={id}
              className="group/row flex items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-3 max-md:py-1.5"
            >
              <Verbatim className="min-w-0 grow wrap-anywhere">{keyString}</Verbatim>
              <CopyButton label="Copy Key" variant="row" text={keyString} onCopied={() => showToast(copiedToast)} />
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}
