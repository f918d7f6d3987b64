import { ArrowLeft } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { RegistrationForm } from "../../src/accounts/schema.ts";
import { invitedBy } from "../../src/tokens/invitation.ts";
import { registerReseller } from "../api/calls/session.ts";
import { useForm } from "../forms/use-form.ts";
import { LinkButton, SubmitButton } from "../ui/button.tsx";
import { asTyped, TextField } from "../ui/field/field.tsx";
import { NewPasswordField } from "../ui/field/password-field.tsx";
import { carryToast } from "../ui/toast/store.ts";
import { Toaster } from "../ui/toast/toaster.tsx";
import { keepRegisteredName, navigateTo, rememberRole, reportEntranceFailure } from "./entrance.ts";

export default function Registration() {
  const form = useForm({
    schema: RegistrationForm,
    send: register,
    fieldOf: { USERNAME_TAKEN: "username", TOKEN_UNKNOWN: "referralToken", TOKEN_USED: "referralToken" },
    onFailure: (error) => reportEntranceFailure(error, "registration"),
  });
  const [invited, setInvited] = useState(false);
  const takeInvitation = useEffectEvent(() => {
    const token = invitedBy(window.location.hash);
    if (token === null) return;
    form.fill("referralToken", token);
    setInvited(true);
  });
  useEffect(() => takeInvitation(), []);
  return (
    <>
      <form {...form.props} method="post" className="grid gap-4">
        <TextField {...form.field("username")} label="Username" autoComplete="username" {...asTyped} />
        <NewPasswordField
          {...form.field("password")}
          label="Password"
          password={form.values.password ?? ""}
          username={form.values.username ?? ""}
        />
        <TextField
          {...form.field("referralToken")}
          label="Referral Token"
          autoComplete="off"
          {...asTyped}
          // Both have the same length, so that nothing moves.
          hint={`${invited ? "It came with your invitation." : "An administrator gives it to you."} Each token opens one account.`}
        />
        <SubmitButton size="large" wide busy={form.busy} busyText="Registering...">
          Register Account
        </SubmitButton>
      </form>
      <div className="mt-3">
        <LinkButton href="/" variant="ghost" size="large" wide icon={<ArrowLeft size={16} />}>
          Back to Login
        </LinkButton>
      </div>
      <Toaster />
    </>
  );
}

async function register(form: RegistrationForm): Promise<void> {
  await registerReseller(form);
  rememberRole("reseller");
  keepRegisteredName(form.username);
  carryToast({ title: "Success", description: "Account registered successfully" });
  await navigateTo("/");
}
