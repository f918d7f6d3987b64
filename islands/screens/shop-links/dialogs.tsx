import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { nameCharactersMax } from "../../../src/accounts/api-keys/limits.ts";
import type { Role } from "../../../src/accounts/schema.ts";
import { adminDeviceLimits, resellerDeviceLimits } from "../../../src/catalogue/limits.ts";
import type { Sale, ShopLink } from "../../../src/shop-links/schema.ts";
import * as linkForm from "../../../src/shop-links/shop-link-form.ts";
import { shopLinkCalls } from "../../api/calls/account.ts";
import { catalogueQuery, offerChoice, offersIn } from "../../api/calls/catalogue.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { refresh, useWork } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { OwnProof, proofFields } from "../../forms/scope-fields.tsx";
import type { Form } from "../../forms/use-form.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextLink } from "../../ui/button.tsx";
import { CardList } from "../../ui/card-list.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog, KeptButton } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { asTyped, NativeSelectField, NumberField, TextField } from "../../ui/field/field.tsx";
import { PasswordField } from "../../ui/field/password-field.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";
import { Instant } from "../../ui/time.tsx";
import { OrderFields, orderDefaults } from "../keys/order/order-fields.tsx";

export interface ShopLinkDialogProps extends Openable {
  area: Role;
  /** The viewer's: the browser fills in the password that it keeps for it. */
  username: string;
  action: "new" | "edit" | "secret" | "sales" | "deletion";
  /** Null for a new one. */
  link: ShopLink | null;
}

export default function ShopLinkDialog(props: ShopLinkDialogProps) {
  const { action, link, ...dialog } = props;
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <LinkSales {...dialog} {...made} />;
  if (link && action === "sales") return <LinkSales {...dialog} link={link} secret={null} />;
  if (link && action === "deletion") return <Deletion {...dialog} link={link} />;
  return <Editor {...props} onMade={setMade} />;
}

/** The secret is null where the seller typed it. */
type Made = { link: ShopLink; secret: string | null };

const titles = { new: "New Shop Link", edit: "Edit Shop Link", secret: "New Secret" };
const descriptions: { [Each in keyof typeof titles]?: string } = {
  new: "For one product of your shop. Each sale gets new keys, which your account pays for.",
  secret: "What the shop signs with the old one is refused at once.",
};

/** A new link, a changed one, or only its new secret. */
function Editor(props: ShopLinkDialogProps & { onMade: (made: Made) => void }) {
  const { link, area, username, onMade, ...dialog } = props;
  const action = dialog.action as keyof typeof titles;
  const { query, create, change, renewSecret } = shopLinkCalls(area);
  const initial = link ? linkForm.formOf(link) : { ...defaults, ...linkForm.presets.other.signature };
  const work = useWork({
    mutationFn: async (form: linkForm.ShopLinkPageForm): Promise<Made | null> => {
      const body = linkForm.shopLinkIn(form) as Parameters<typeof create>[0];
      if (link && action === "edit") return change(link.id, body).then(() => null);
      // Another shop may use ours.
      const secret = form.secret || ((form.preset ?? initial.preset) === "other" ? undefined : "");
      const proof = { secret, password: form.password ?? "", code: form.code || undefined };
      const made = link ? { ...link, ...(await renewSecret(link.id, proof)) } : await create({ ...body, ...proof });
      return { link: made, secret: secret ? null : made.secret };
    },
    done: action === "edit" ? "Shop link saved" : undefined,
    failed: "Failed to save the shop link",
    shownAtFields: [...Object.keys(fieldOf), "INVALID"],
    onSettled: () => void refresh(query),
  });
  return (
    <FormDialog
      {...dialog}
      width="wide"
      title={titles[action]}
      description={descriptions[action]}
      work={work}
      submit="Save"
      busyText="Saving..."
      form={{ schema: linkForm.ShopLinkPageForm, initial, fieldOf }}
      onSent={(made) => (made ? onMade(made) : dialog.onOpenChange(false))}
    >
      {(form) => (
        <div className="grid items-start gap-4 md:grid-cols-2">
          {action !== "secret" && <LinkFields form={form} area={area} />}
          {action !== "edit" && (
            <>
              <PasswordField
                {...form.field("secret")}
                label="Secret"
                autoComplete="off"
                hint={secretHints[form.values.preset ?? initial.preset]}
              />
              <OwnProof form={form} username={username} />
            </>
          )}
        </div>
      )}
    </FormDialog>
  );
}

const defaults = { ...orderDefaults, preset: "sellauth", maxQuantity: 10 } as const;
const unsold = { INVALID_DAY_TIER: "durationId", NOT_SOLD: "durationId" } as const;
const fieldOf = { ...proofFields, ...unsold, signature: "header" } as const;
const presetChoices = Object.entries(linkForm.presetNames).map(([value, label]) => ({ value, label }));
const algorithmChoices = ["sha256", "sha512"].map((value) => ({ value, label: value.toUpperCase() }));
const secretHints = {
  sellauth: "SellAuth's: copy it from your shop's settings, Miscellaneous.",
  sellix: "Sellix's: copy it from your shop's settings.",
  other: "The shop's, of 16 to 256 characters. Leave it empty to get a new one.",
};

function LinkFields({ form, area }: { form: Form<typeof linkForm.ShopLinkPageForm>; area: Role }) {
  const { data: catalogue } = useQuery(catalogueQuery);
  const { preset, game, deviceLimit } = form.values;
  const free = catalogue?.durations.map((duration) => ({ ...duration, price: null })) ?? [];
  const durations = (area === "admin" ? free : offersIn(catalogue, { game, deviceLimit })).map(offerChoice);
  const duration = { ...form.field("durationId"), label: "Duration", placeholder: "Select a duration" };
  return (
    <>
      <NativeSelectField {...form.field("preset")} label="Shop" choices={presetChoices} data-autofocus />
      <TextField {...form.field("name")} label="Name" maxLength={nameCharactersMax} hint="Orders show it." />
      <OrderFields
        form={form}
        catalogue={catalogue}
        deviceLimits={area === "admin" ? adminDeviceLimits : resellerDeviceLimits}
        duration={<NativeSelectField {...duration} choices={durations} />}
      />
      <NumberField {...form.field("maxQuantity")} label="Keys per Sale" hint="At most. More are refused." />
      {area === "reseller" && (
        <NumberField {...form.field("creditsPerDay")} label="Credits per Day (optional)" inputMode="decimal" />
      )}
      {preset === "other" && (
        <>
          <TextField {...form.field("header")} label="Signature Header" {...asTyped} />
          <NativeSelectField {...form.field("algorithm")} label="HMAC" choices={algorithmChoices} />
          <TextField {...form.field("saleId")} label="Sale ID" hint="Where it is: order.id, item.id" {...asTyped} />
          <TextField {...form.field("quantity")} label="Quantity (optional)" hint="Without it, one key." {...asTyped} />
        </>
      )}
    </>
  );
}

/** How often an open list of sales is fetched, so that a seller's trial purchase appears. */
const lookMs = 3_000;

/** What the shop needs, and the sales as they come in. */
function LinkSales({ area, link, secret, ...dialog }: Openable & Made & { area: Role }) {
  const { query, sales } = shopLinkCalls(area);
  const list = sales(link.id);
  const rows = usePagedRows(list, {});
  const look = useEffectEvent(() => void (document.hidden || refresh(list, query)));
  useEffect(() => {
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, []);
  const isNew = link.lastSaleAt === null && rows.rows.every(({ orderId }) => orderId === null);
  return (
    <Dialog
      {...dialog}
      width="wide"
      title={link.name}
      description={secret === null ? "Sales of the last 30 days." : "Save the secret: it won't be shown again."}
      stays={secret !== null}
      footer={secret !== null && <KeptButton label="I've saved it" onKept={() => dialog.onOpenChange(false)} />}
    >
      <section data-autofocus tabIndex={-1} aria-label="For the shop" className="mb-4 grid gap-3 outline-none">
        <CodeBlock title="Address" code={link.url} copyLabel="Copy address" />
        {secret !== null && <CodeBlock title="Secret" code={secret} copyLabel="Copy secret" />}
        {isNew && <p>{`${nextSteps[linkForm.presetOf(link)]} ${buyOnce}`}</p>}
        {rows.rows.some(({ orderId }) => orderId === null) && <p>{afterRefusal}</p>}
      </section>
      <CardList
        {...rows}
        label="Sales"
        className="grid gap-3"
        skeleton={{ count: 2, className: "h-20" }}
        empty={{ title: link.lastSaleAt === null ? "Waiting for the first sale" : "No sales" }}
      >
        {(sale) => <SaleItem key={sale.id} area={area} sale={sale} />}
      </CardList>
    </Dialog>
  );
}

const nextSteps = {
  sellauth: "In SellAuth, give the product the deliverables type Dynamic, with this address as its webhook URL.",
  sellix: "In Sellix, make a product of the type Dynamic with this address, and keep it out of carts.",
  other: "Have your shop call this address for each paid order, signed with the secret, and show the response.",
};
const buyOnce =
  "Then buy it once: the sale appears here, or why it was refused. If nothing does, the shop did not call.";
const afterRefusal = "A refused sale cost nothing. Once its cause is gone, have it sent again or generate its keys.";

function SaleItem({ area, sale }: { area: Role; sale: Sale }) {
  const { at, saleId, quantity, status, code, message, orderId, count } = sale;
  return (
    <li className="rounded-lg border border-line bg-card px-4 py-3 wrap-anywhere">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {saleId === null ? <span>Sale ID not read</span> : <Verbatim>{saleId}</Verbatim>}
        <Badge tone={orderId === null ? "expired" : "active"}>{orderId === null ? "Refused" : "Delivered"}</Badge>
        <span className="text-sm text-muted">
          <Instant value={at} />
          {count > 1 && ` · ${pluralText(count, "time")}`}
        </span>
      </div>
      <p className="mt-1 text-muted">
        {orderId === null ? (
          `${message} (${status} ${code})`
        ) : (
          <TextLink
            href={`/${area}/orders/${orderId}`}
          >{`Order ${orderId}, ${pluralText(quantity ?? 1, "key")}`}</TextLink>
        )}
      </p>
    </li>
  );
}

function Deletion({ area, link, ...dialog }: Openable & { area: Role; link: ShopLink }) {
  const { query, remove } = shopLinkCalls(area);
  return (
    <Confirmation
      {...dialog}
      title="Delete Shop Link"
      text={`${link.name} delivers nothing more and forgets its sales. Their orders and keys stay.`}
      busyLabel="Deleting..."
      mutationFn={() => remove(link.id)}
      done={({ message }) => message}
      failed="Failed to delete the shop link"
      // After a refusal too: it may have been deleted elsewhere.
      onSettled={() => refresh(query)}
      closesAfter={["NOT_FOUND"]}
    />
  );
}
