import { KeyRound, ScrollText, Store, Users, Webhook } from "lucide-react";
import { PasswordForm } from "../../src/accounts/account-schema.ts";
import { passwordCharactersMin, type Role } from "../../src/accounts/schema.ts";
import { changePassword, ownSessionsQuery } from "../api/calls/account.ts";
import { refresh, useWork } from "../api/query.ts";
import { useForm } from "../forms/use-form.ts";
import { LinkButton, SubmitButton } from "../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../ui/card.tsx";
import { NewPasswordField, OwnPasswordField } from "../ui/field/password-field.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { OwnSessions } from "./account/own-sessions.tsx";
import { TwoFactor } from "./account/two-factor.tsx";

/** /admin/account and /reseller/account. */
export default function Account({ area, username }: { area: Role; username: string }) {
  return (
    <>
      <PageHeading
        title="Account"
        description="Your password, two-factor sign-in and sessions."
        actions={
          <>
            <LinkButton href={`/${area}/api-keys`} icon={<KeyRound size={16} />}>
              API Keys
            </LinkButton>
            <LinkButton href={`/${area}/webhooks`} icon={<Webhook size={16} />}>
              Webhooks
            </LinkButton>
            <LinkButton href={`/${area}/shop-links`} icon={<Store size={16} />}>
              Shop Links
            </LinkButton>
            <LinkButton href={`/${area}/staff`} icon={<Users size={16} />}>
              Staff
            </LinkButton>
            {area === "admin" && (
              <LinkButton href="/admin/audit" icon={<ScrollText size={16} />}>
                Audit Log
              </LinkButton>
            )}
          </>
        }
      />
      {/* The sessions come last: their number is not known in advance, and nothing below them may move. */}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="grid gap-4">
          <OwnPassword username={username} />
          <TwoFactor username={username} />
        </div>
        <OwnSessions />
      </div>
    </>
  );
}

function OwnPassword({ username }: { username: string }) {
  const { mutateAsync } = useWork({
    mutationFn: changePassword,
    done: ({ message }) => message,
    failed: "Failed to change password",
    shownAtFields: ["WRONG_CREDENTIALS"],
    onSuccess: () => {
      for (const field of ["currentPassword", "newPassword"] as const) form.fill(field, "");
      void refresh(ownSessionsQuery);
    },
  });
  const form = useForm({
    schema: PasswordForm,
    send: mutateAsync,
    fieldOf: { WRONG_CREDENTIALS: "currentPassword" },
  });
  return (
    <Card>
      <CardHeading title="Password" description="Changing it signs you out everywhere else." />
      <CardBody>
        <form {...form.props} method="post" className="grid max-w-md gap-4">
          <OwnPasswordField {...form.field("currentPassword")} label="Current Password" username={username} />
          <NewPasswordField
            {...form.field("newPassword")}
            label="New Password"
            hint={`At least ${passwordCharactersMin} characters.`}
            password={form.values.newPassword ?? ""}
            username={username}
          />
          <SubmitButton className="md:justify-self-start" busy={form.busy} busyText="Changing...">
            Change Password
          </SubmitButton>
        </form>
      </CardBody>
    </Card>
  );
}
