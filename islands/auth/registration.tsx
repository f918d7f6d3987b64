import { ArrowLeft } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { passwordCharactersMin, RegistrationForm } from "../../src/accounts/schema.ts";
import { type Invitation, invitedBy } from "../../src/tokens/invitation.ts";
import { registerReseller } from "../api/calls/session.ts";
import { creditsWithUnit } from "../format.ts";
import { useForm } from "../forms/use-form.ts";
import { Button, LinkButton, SubmitButton } from "../ui/button.tsx";
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
  const { invitation, isFolded, setFolded } = useInvitation((token) => form.fill("referralToken", token));
  const token = form.field("referralToken");
  // What is wrong with the token has to be seen, and stays in view while it is corrected.
  if (token.message && isFolded) setFolded(false);
  return (
    <>
      <form {...form.props} method="post" className="grid gap-4">
        <Greeting credits={invitation?.credits} />
        <TextField {...form.field("username")} label="Username" autoComplete="username" {...asTyped} />
        <NewPasswordField
          {...form.field("password")}
          label="Password"
          hint={`At least ${passwordCharactersMin} characters.`}
          password={form.values.password ?? ""}
          username={form.values.username ?? ""}
        />
        {isFolded && <FoldedToken onUnfold={() => setFolded(false)} />}
        <div className={isFolded ? "group-data-invited/root:hidden" : undefined}>
          <TextField
            {...token}
            label="Referral Token"
            {...asTyped}
            hint={`${invitation ? "From your invitation." : "Ask an administrator for one."} Each token creates one account.`}
          />
        </div>
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

/**
 * The invitation in the address, also when it is opened in a tab that is already here. `data-invited` is set before the
 * first paint (src/pages/document.tsx), so that nothing moves when this page wakes.
 */
function useInvitation(fill: (token: string) => void) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [isFolded, setFolded] = useState(true);
  const take = useEffectEvent(() => {
    const found = invitedBy(window.location.hash);
    if (!found) return;
    document.documentElement.dataset.invited = "";
    fill(found.token);
    setInvitation(found);
    setFolded(true);
  });
  useEffect(() => {
    const look = () => take();
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);
  return { invitation, isFolded, setFolded };
}

/** Its second line has its height before it has its text, which only the browser knows. */
function Greeting({ credits }: { credits: number | undefined }) {
  return (
    <div className="hidden group-data-invited/root:block">
      <h2 className="font-semibold">You&rsquo;re invited</h2>
      <p className="min-h-[1lh] text-muted">
        {credits !== undefined &&
          (credits > 0 ? `You start with ${creditsWithUnit(credits)}.` : "Choose a username and a password.")}
      </p>
    </div>
  );
}

function FoldedToken({ onUnfold }: { onUnfold: () => void }) {
  function unfold({ form }: HTMLButtonElement) {
    flushSync(onUnfold);
    (form?.elements.namedItem("referralToken") as HTMLInputElement | null)?.select();
  }
  return (
    <div className="hidden items-center justify-between gap-3 group-data-invited/root:flex">
      <p className="text-muted">Your token is filled in.</p>
      <Button variant="ghost" size="small" className="-mr-2.5" onClick={({ currentTarget }) => unfold(currentTarget)}>
        Change
      </Button>
    </div>
  );
}

async function register(form: RegistrationForm): Promise<void> {
  await registerReseller(form);
  rememberRole("reseller");
  keepRegisteredName(form.username);
  carryToast({ title: "Success", description: "Account registered successfully" });
  await navigateTo("/");
}
