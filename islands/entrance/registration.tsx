import { ArrowLeft } from "lucide-react";
import { RegistrationForm } from "../../src/accounts/schema.ts";
import { useHydrated } from "../runtime/hydration.ts";
import { registerReseller } from "../server/session.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { TextField } from "../ui/field/field.tsx";
import { carryToast } from "../ui/toast/store.ts";
import { Toaster } from "../ui/toast/toaster.tsx";
import { registrationWords, sayEntranceFailure } from "./parts/entrance-failure.ts";
import { useEntranceForm } from "./parts/entrance-form.ts";
import { rememberRole } from "./parts/last-role.ts";

export default function Registration() {
  const hydrated = useHydrated();
  const { busy, messages, formProps } = useEntranceForm({
    schema: RegistrationForm,
    send: register,
    fieldOfCode: { USERNAME_TAKEN: "username", TOKEN_UNKNOWN: "referralToken", TOKEN_USED: "referralToken" },
    onFailure: (error) => sayEntranceFailure(error, registrationWords),
  });
  return (
    <>
      <form {...formProps} method="post" className="grid gap-4">
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          message={messages.username}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          message={messages.password}
        />
        <TextField
          label="Referral Token"
          name="referralToken"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="An administrator gives it to you. Each token opens one account."
          message={messages.referralToken}
        />
        {/* Before the page is awake a press would send the form past its script. */}
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          disabled={!hydrated}
          className="disabled:cursor-default disabled:opacity-100"
          busy={busy}
          busyText="Registering..."
        >
          Register Account
        </Button>
      </form>
      <div className="mt-3">
        <LinkButton href="/" variant="ghost" size="large" wide icon={<ArrowLeft aria-hidden size={16} />}>
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
  carryToast({ title: "Success", description: "Account registered successfully" });
  window.location.assign("/");
}
